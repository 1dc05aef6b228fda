/** A buffer pool for servers that use NIO. */
module dev.buffers {
    requires java.management;
    requires jdk.management;
    requires org.jctools.core.jdk11;
    requires static jdk.jfr;
    requires static org.jspecify;

    exports dev.buffers;
    exports dev.buffers.io;

    uses dev.buffers.BufferPolicy;
}
