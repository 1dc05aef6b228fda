package dev.buffers.bench.report;

import dev.buffers.bench.duet.Course;
import dev.buffers.bench.duet.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How much memory each side of a cell had, second by second. The template {@code curves.mustache} draws it.
 *
 * @param height of the drawing: names of sides that end alike stand one above the other, and need room
 * @param ticks of the axis of bytes
 * @param curves from the one that ends lowest
 */
record Curves(String title, int height, List<Tick> ticks, List<Curve> curves) {
    private static final int LEFT = 60;
    private static final int RIGHT = 440;
    private static final int TALL = 180;
    private static final int MARGIN = 8;
    private static final int LINE = 14;
    private static final int MOST_TICKS = 5;

    record Tick(int y, String text) {}

    /** A side: its points, and where its name stands so that it covers no other. */
    record Curve(String label, String points, int labelY, boolean ours) {}

    /** A picture for each figure of each cell. */
    static List<Curves> of(List<Course> courses) {
        Map<String, List<Course>> pictures = courses.stream()
                .collect(Collectors.groupingBy(
                        course -> course.cell() + ", " + course.figure(), LinkedHashMap::new, Collectors.toList()));
        return pictures.entrySet().stream()
                .map(picture -> of(picture.getKey(), picture.getValue()))
                .toList();
    }

    private static Curves of(String title, List<Course> courses) {
        double most =
                courses.stream().flatMap(course -> course.medians().stream()).reduce(1.0, Math::max);
        double step = step(most);
        int bottom = TALL + LINE * courses.size();
        List<Tick> ticks = IntStream.rangeClosed(0, (int) (most / step))
                .mapToObj(i -> new Tick(y(i * step, most, bottom), megabytes(i * step)))
                .toList();
        List<Course> sorted = new ArrayList<>(courses);
        sorted.sort(Comparator.comparingDouble(Curves::last));
        List<Curve> curves = new ArrayList<>();
        int free = bottom;
        for (Course course : sorted) {
            int end = Math.min(free, y(last(course), most, bottom));
            free = end - LINE;
            String label = course.side() + ", " + megabytes(last(course));
            curves.add(new Curve(
                    label,
                    points(course.medians(), most, bottom),
                    end + 4,
                    course.side().startsWith("buffers")));
        }
        return new Curves(title, bottom + MARGIN, ticks, curves);
    }

    private static double last(Course course) {
        return course.medians().get(course.medians().size() - 1);
    }

    private static String points(List<Double> bytes, double most, int bottom) {
        int seconds = Math.max(1, bytes.size() - 1);
        return IntStream.range(0, bytes.size())
                .mapToObj(i -> LEFT + (RIGHT - LEFT) * i / seconds + "," + y(bytes.get(i), most, bottom))
                .collect(Collectors.joining(" "));
    }

    private static int y(double bytes, double most, int bottom) {
        return (int) Math.round(bottom - TALL * bytes / most);
    }

    /** One, two or five times a power of ten, so that there are not too many. */
    private static double step(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(most / MOST_TICKS)));
        return power
                * List.of(1, 2, 5, 10).stream()
                        .filter(times -> most / (times * power) <= MOST_TICKS)
                        .findFirst()
                        .orElse(10);
    }

    private static String megabytes(double bytes) {
        return Estimate.number(bytes / 1e6) + " MB";
    }
}
