package example;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.nio.charset.StandardCharsets;

public class First {
    public static void main(String[] args) {
        try (BufferPool pool = BufferPool.create()) {
            PooledBuffer lease = pool.acquire(1000);
            lease.buffer().put("hello".getBytes(StandardCharsets.US_ASCII)).flip();
            System.out.println(lease);
            System.out.println(lease.buffer());

            System.out.println(lease.release());
            try {
                lease.release();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
