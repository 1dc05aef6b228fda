package example;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** Installs the bundles of the class path in a framework, and starts a bundle that imports the pool. */
final class OsgiExample {
    public static void main(String[] args) throws Exception {
        String cache = Files.createTempDirectory("osgi").toString();
        FrameworkFactory factory =
                ServiceLoader.load(FrameworkFactory.class).findFirst().orElseThrow();
        Framework framework = factory.newFramework(Map.of(Constants.FRAMEWORK_STORAGE, cache));
        framework.start();
        try {
            run(framework.getBundleContext());
        } finally {
            framework.stop();
            framework.waitForStop(0);
        }
    }

    private static void run(BundleContext context) throws BundleException, IOException {
        List<Bundle> libraries = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (isLibrary(new File(path))) {
                libraries.add(context.installBundle(new File(path).toURI().toString()));
            }
        }
        context.installBundle("application", application()).start();
        for (Bundle library : libraries) {
            System.out.println((library.getState() == Bundle.RESOLVED ? "used: " : "not used: ")
                    + library.getSymbolicName() + " " + library.getVersion());
        }
    }

    private static boolean isLibrary(File file) throws IOException {
        if (!file.isFile()) {
            return false;
        }
        try (JarFile jar = new JarFile(file)) {
            Manifest manifest = jar.getManifest();
            String name = manifest == null ? null : manifest.getMainAttributes().getValue(Constants.BUNDLE_SYMBOLICNAME);
            return name != null && !name.equals("org.apache.felix.framework");
        }
    }

    /** What a build makes with bnd: the class of this project as a bundle. */
    private static InputStream application() throws IOException {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
        headers.putValue(Constants.BUNDLE_SYMBOLICNAME, "application");
        headers.putValue(Constants.BUNDLE_ACTIVATOR, Application.class.getName());
        headers.putValue(
                Constants.IMPORT_PACKAGE,
                "dev.buffers,dev.buffers.micrometer,io.micrometer.core.instrument,"
                        + "io.micrometer.core.instrument.simple,org.osgi.framework");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String name = Application.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest);
                InputStream code = OsgiExample.class.getClassLoader().getResourceAsStream(name)) {
            jar.putNextEntry(new JarEntry(name));
            code.transferTo(jar);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
