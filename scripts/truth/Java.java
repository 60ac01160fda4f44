import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * What javac says of every call: {@code java scripts/truth/Java.java FOLDER TRUTH.json [CLASSPATH]}, for
 * scripts/measure-graph.ts. Calls that it cannot resolve, since what they need is not on the class path, are left out. A constructor is called by the name of its class.
 */
class Java {
    static final StringBuilder OUT = new StringBuilder("[");
    static Trees trees;
    static Path top;
    static int count;

    public static void main(String[] args) throws IOException {
        top = Path.of(args[0]).toRealPath();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Path> files;
        try (var all = Files.walk(top)) {
            files = all.filter(each -> each.toString().endsWith(".java") && !each.endsWith("module-info.java")).toList();
        }
        var manager = compiler.getStandardFileManager(null, null, null);
        var options = new ArrayList<>(List.of("-proc:none", "-Xmaxerrs", "1"));
        if (args.length > 2) options.addAll(List.of("-classpath", args[2]));
        var task = (JavacTask) compiler.getTask(null, manager, problem -> {}, options, null, manager.getJavaFileObjectsFromPaths(files));
        trees = Trees.instance(task);
        var units = new ArrayList<CompilationUnitTree>();
        task.parse().forEach(units::add);
        task.analyze();
        for (var unit : units) new Calls(unit).scan(unit, null);
        Files.writeString(Path.of(args[1]), OUT.append("\n]\n"));
        System.out.println(count + " calls");
    }

    static class Calls extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;

        Calls(CompilationUnitTree unit) {
            this.unit = unit;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            var callee = call.getMethodSelect();
            var name = callee instanceof MemberSelectTree member ? member.getIdentifier() : ((IdentifierTree) callee).getName();
            if (!name.contentEquals("this") && !name.contentEquals("super"))
                add(name.toString(), callee, trees.getElement(new TreePath(getCurrentPath(), callee)));
            return super.visitMethodInvocation(call, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree made, Void nothing) {
            var type = made.getIdentifier() instanceof ParameterizedTypeTree generic ? generic.getType() : made.getIdentifier();
            if (type instanceof AnnotatedTypeTree marked) type = marked.getUnderlyingType();
            var name = type instanceof MemberSelectTree member ? member.getIdentifier() : ((IdentifierTree) type).getName();
            var made_ = trees.getElement(getCurrentPath());
            var isNameless = made.getClassBody() != null;
            add(name.toString(), type, isNameless ? trees.getElement(new TreePath(getCurrentPath(), made.getIdentifier())) : made_);
            return super.visitNewClass(made, nothing);
        }

        void add(String name, Tree named, Element element) {
            if (element == null || element.asType() == null || element.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) return;
            var sort = element.getKind();
            boolean isMaker = sort == ElementKind.CONSTRUCTOR || sort.isClass() || sort.isInterface();
            if (!isMaker && element.getKind() != ElementKind.METHOD) return;
            var end = trees.getSourcePositions().getEndPosition(unit, named) - 1;
            if (end < 0) return;
            var targets = new ArrayList<String>();
            place(element, targets);
            if (element.getKind() == ElementKind.CONSTRUCTOR) place(element.getEnclosingElement(), targets);
            var kind = isMaker ? "constructor" : element.getModifiers().contains(Modifier.STATIC) ? "function" : "method";
            OUT.append(count == 0 ? "\n" : ",\n").append("{\"path\":\"").append(path(unit)).append("\",\"line\":")
                .append(unit.getLineMap().getLineNumber(end)).append(",\"name\":\"").append(name).append("\",\"kind\":\"").append(kind)
                .append("\",\"targets\":[").append(String.join(",", targets)).append("]}");
            count += 1;
        }

        void place(Element element, List<String> targets) {
            // A record's accessor that is not written out stands at its component.
            var owner = element.getEnclosingElement();
            boolean isImplied = trees.getPath(element) == null && owner != null && owner.getKind() == ElementKind.RECORD;
            var path = trees.getPath(isImplied ? owner : element);
            if (path == null) return;
            var at = path.getCompilationUnit();
            var tree = path.getLeaf();
            long start = trees.getSourcePositions().getStartPosition(at, tree);
            ModifiersTree marks = null;
            if (tree instanceof MethodTree method) marks = method.getModifiers();
            else if (tree instanceof ClassTree type) marks = type.getModifiers();
            if (marks != null) start = Math.max(start, trees.getSourcePositions().getEndPosition(at, marks));
            try {
                // The name is the first place after the modifiers where it stands as a word.
                String text = at.getSourceFile().getCharContent(true).toString();
                String name = (element.getKind() == ElementKind.CONSTRUCTOR ? owner : element).getSimpleName().toString();
                var found = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b").matcher(text);
                if (found.find((int) start)) start = found.start();
            } catch (IOException unread) {
                throw new IllegalStateException(unread);
            }
            targets.add("{\"path\":\"" + path(at) + "\",\"line\":" + at.getLineMap().getLineNumber(start) + "}");
        }
    }

    static String path(CompilationUnitTree unit) {
        return top.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
    }
}
