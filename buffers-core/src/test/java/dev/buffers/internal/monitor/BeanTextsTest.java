package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.buffers.PoolMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BeanTextsTest {

    @Test
    void eachAttributeAndOperationHasAText() {
        check(PoolMXBean.class, BeanTexts.OWN);
        check(BufferPoolMXBean.class, BeanTexts.STANDARD);
    }

    private static void check(Class<?> bean, Map<String, String> texts) {
        Set<String> names = new TreeSet<>(Set.of(BeanTexts.BEAN));
        for (Method method : bean.getMethods()) {
            String name = method.getName();
            names.add(name.startsWith("get") ? name.substring(3) : name);
        }
        assertEquals(names, new TreeSet<>(texts.keySet()));
        texts.forEach((name, text) -> assertFalse(text.isBlank() || text.endsWith("."), () -> name + ": " + text));
    }
}
