package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.Exhaustion;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.text.ByteSize;
import dev.buffers.support.Explicit;
import dev.buffers.support.Refusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the settings of a pool called {@code web} come about. */
class SettingsTest {

    private final ExplicitSettings explicit = new Explicit();
    private final Map<String, String> options = new HashMap<>();
    private final Map<String, String> file = new HashMap<>();

    private PoolSettings resolve() {
        return ResolvedSettings.resolve("web", explicit, options);
    }

    /** The one value of {@code zero} that counts, with the file's text given as such. */
    private String zero() {
        return new SettingsSource("web", explicit, options, new SettingsFile("buffers.properties at u", file))
                .get(SettingKey.ZERO)
                .toString();
    }

    @Test
    void thePlacesCountInTheirOrder() {
        assertEquals("zero=never (default)", zero());
        file.put("buffers.zero", "acquire");
        assertEquals("zero=acquire (buffers.properties at u)", zero());
        file.put("buffers.web.zero", "release");
        assertEquals("zero=release (buffers.properties at u)", zero());
        options.put("buffers.zero", "acquire");
        assertEquals("zero=acquire (-Dbuffers.zero)", zero());
        options.put("buffers.web.zero", "release");
        assertEquals("zero=release (-Dbuffers.web.zero)", zero());
        explicit.zero(PoolSettings.Zeroing.NEVER);
        assertEquals("zero=never (builder)", zero());
    }

    @Test
    void otherPoolsAndOtherLibrariesAreNotOurs() {
        options.put("buffers.other.zero", "release");
        options.put("buffers.other.nonsense", "x");
        options.put("buffers.web2.zero", "release");
        options.put("buffersize", "x");
        options.put("buffers", "x");
        options.put("my.buffers.zero", "release");
        assertEquals("zero=never (default)", zero());
    }

    @Test
    void whiteSpaceAroundAValueIsNotPartOfIt() {
        options.put("buffers.zero", " release\t");
        assertEquals("zero=release (-Dbuffers.zero)", zero());
    }

    @Test
    void theDefaultsAreThoseOfTheDesign() {
        PoolSettings settings = resolve();
        assertEquals("web", settings.name());
        assertSame(BuiltInPolicy.DIRECT_VIEW, settings.policy());
        assertEquals(DirectLimit.limit() / 2, settings.maxBytes());
        assertTrue(settings.sharesDefaultBudget());
        assertEquals(Exhaustion.fail(), settings.atLimit());
        assertEquals(4 << 20, settings.regionSize());
        assertEquals(256 << 10, settings.maxSize());
        assertEquals(0, settings.preallocate());
        assertEquals(4 << 20, settings.threadCache());
        assertSame(PoolSettings.LeaseMode.FRESH, settings.leases());
        assertSame(PoolSettings.Zeroing.NEVER, settings.zero());
        assertEquals(LeakTracking.count(), settings.leaks());
        assertEquals(Optional.of(Duration.ofSeconds(10)), settings.trimAfter());
        assertSame(PoolSettings.Freeing.GC, settings.free());
        assertFalse(settings.guard());
        assertFalse(settings.jmx());
    }

    @Test
    void eachOptionReachesItsAccessor() {
        options.putAll(Map.of(
                "buffers.policy", "heap-view",
                "buffers.web.max", "64m",
                "buffers.at-limit", "unpooled",
                "buffers.region-size", "512k",
                "buffers.max-size", "128k",
                "buffers.preallocate", "8m",
                "buffers.thread-cache", "0",
                "buffers.leases", "recycled",
                "buffers.zero", "acquire"));
        PoolSettings settings = resolve();
        assertSame(BuiltInPolicy.HEAP_VIEW, settings.policy());
        assertEquals(64 << 20, settings.maxBytes());
        assertFalse(settings.sharesDefaultBudget());
        assertEquals(Exhaustion.unpooled(), settings.atLimit());
        assertEquals(512 << 10, settings.regionSize());
        assertEquals(128 << 10, settings.maxSize());
        assertEquals(8 << 20, settings.preallocate());
        assertEquals(0, settings.threadCache());
        assertSame(PoolSettings.LeaseMode.RECYCLED, settings.leases());
        assertSame(PoolSettings.Zeroing.ACQUIRE, settings.zero());
    }

    @Test
    void printsEveryValueWithWhereItCameFrom() {
        explicit.max(64 << 20);
        options.put("buffers.web.policy", "heap");
        options.put("buffers.thread-cache", "65536");
        assertEquals("""
                pool web
                policy=heap (-Dbuffers.web.policy)
                max=64m (builder)
                at-limit=fail (default)
                region-size=4m (default)
                max-size=256k (default)
                preallocate=0 (default)
                thread-cache=64k (-Dbuffers.thread-cache)
                leases=fresh (default)
                zero=never (default)
                leaks=count (default)
                trim-after=10s (default)
                free=gc (default)
                guard=off (default)
                jmx=false (default)""", resolve().toString());
    }

    @ParameterizedTest
    @CsvSource({"heap, 25, of heap", "unpooled, 25, of heap", "direct, 50, of direct memory"})
    void theDefaultCapFollowsThePolicysMemory(String policy, int percent, String memory) {
        options.put("buffers.policy", policy);
        long limit = policy.equals("direct")
                ? DirectLimit.limit()
                : Runtime.getRuntime().maxMemory();
        PoolSettings settings = resolve();
        assertEquals(limit / 100.0 * percent, settings.maxBytes(), 1);
        assertTrue(settings.sharesDefaultBudget());
        String line = "max=" + ByteSize.text(settings.maxBytes()) + " (default, " + percent + "% of the JVM's "
                + ByteSize.text(limit) + " " + memory + ", shared by all such pools that set no max)";
        assertEquals(line, settings.toString().lines().toList().get(2));
    }

    @Test
    void aPercentageIsOfThePolicysMemory() {
        options.put("buffers.max", "12.5%");
        assertEquals(DirectLimit.limit() / 8, resolve().maxBytes());
        options.put("buffers.policy", "heap-view");
        PoolSettings settings = resolve();
        assertEquals(Runtime.getRuntime().maxMemory() / 8, settings.maxBytes());
        assertFalse(settings.sharesDefaultBudget());
        assertTrue(settings.toString().contains(" (-Dbuffers.max, 12.5% of the JVM's "), settings.toString());
    }

    @Test
    void aBudgetThatIsSetToTheDefaultIsNotShared() {
        options.put("buffers.max", "50%");
        assertFalse(resolve().sharesDefaultBudget());
    }

    @Test
    void maxSizeAndRegionSizeGiveWayUnlessBothAreSet() {
        options.put("buffers.region-size", "64k");
        assertEquals(64 << 10, resolve().maxSize());
        assertTrue(resolve().toString().contains("\nmax-size=64k (default, lowered to region-size)\n"));
        options.put("buffers.max-size", "128k");
        Refusal.of(
                this::resolve,
                "bad value: buffers.max-size=128k (from -Dbuffers.max-size) is more than"
                        + " region-size=64k (-Dbuffers.region-size); accepted: at most region-size");
        options.put("buffers.max-size", "64k");
        assertEquals(64 << 10, resolve().maxSize());
        options.remove("buffers.region-size");
        options.put("buffers.max-size", "8m");
        assertEquals(8 << 20, resolve().regionSize());
        assertTrue(resolve().toString().contains("\nregion-size=8m (default, raised to max-size)\n"));
    }

    @Test
    void preallocateFitsUnderMax() {
        explicit.max(1 << 20);
        options.put("buffers.preallocate", "1m");
        assertEquals(1 << 20, resolve().preallocate());
        options.put("buffers.preallocate", "1048577");
        Refusal.of(
                this::resolve,
                "bad value: buffers.preallocate=1048577 (from -Dbuffers.preallocate) is more than max=1m (builder);"
                        + " accepted: at most max");
    }

    @Test
    void anUnknownKeyIsAnErrorWithASuggestion() {
        options.put("buffers.polcy", "heap");
        Refusal.of(
                this::resolve,
                "unknown key: buffers.polcy=heap (from -Dbuffers.polcy), did you mean buffers.policy?;"
                        + " accepted after buffers. or buffers.<pool>.: policy, max, at-limit");
    }

    @Test
    void anUnknownKeyOfThisPoolIsAnErrorWithASuggestion() {
        options.put("buffers.web.polcy", "heap");
        Refusal.of(
                this::resolve,
                "unknown key: buffers.web.polcy=heap (from -Dbuffers.web.polcy), did you mean buffers.web.policy?;");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"buffers.foo", "buffers.", "buffers..max", "buffers.web.", "buffers.web.max.x", "buffers.web"})
    void whatCanMeanNothingIsAnError(String property) {
        options.put(property, "1");
        Refusal.of(this::resolve, "unknown key: " + property + "=1 (from -D" + property + ")");
    }

    @Test
    void aKeyIsNeverTakenForAnotherPool() {
        options.put("buffers.max.size", "64k");
        Refusal.of(this::resolve, "unknown key: buffers.max.size=64k", "did you mean buffers.max-size?");
    }

    @Test
    void aBadValueIsAnErrorThatSaysWhereItIs() {
        options.put("buffers.web.max", "64mb");
        Refusal.of(
                this::resolve,
                "bad value: buffers.web.max=64mb (from -Dbuffers.web.max) is not a number of bytes;"
                        + " accepted: bytes such as 64m, or a percentage");
    }

    @Test
    void aBadValueIsAnErrorAlsoWhereAnotherWins() {
        explicit.max(1 << 20);
        options.put("buffers.max", "");
        Refusal.of(this::resolve, "bad value: buffers.max= (from -Dbuffers.max)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a.b", "a b", "a\tb", ".", "policy", "max", "trim-after"})
    void aPoolNeedsANameThatSettingsCanUse(String name) {
        Refusal.of(
                () -> ResolvedSettings.resolve(name, explicit, options),
                "name=",
                "accepted: one or more characters without dots and white space, not the name of a setting");
    }

    @Test
    void aPoolsNameIsNotNull() {
        assertThrows(NullPointerException.class, () -> ResolvedSettings.resolve(null, explicit, options));
    }

    @Test
    void thePublicWayReadsTheSystemPropertiesAsTheyAreNow() {
        String property = "buffers.settings-test.max";
        System.setProperty(property, "3m");
        try {
            assertEquals(
                    3 << 20, ResolvedSettings.resolve("settings-test", explicit).maxBytes());
            System.setProperty(property, "4m");
            assertEquals(
                    4 << 20, ResolvedSettings.resolve("settings-test", explicit).maxBytes());
        } finally {
            System.clearProperty(property);
        }
        assertTrue(ResolvedSettings.resolve("settings-test", explicit).sharesDefaultBudget());
    }
}
