// What go/types says of every call: `go run scripts/truth/go.go FOLDER TRUTH.json`, for scripts/measure-graph.ts. The folder is a Go module;
// packages that its own imports need and that are not there count as unknown, and calls of them are left out.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type place struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

type site struct {
	place
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Targets []place `json:"targets"`
}

type loader struct {
	top, module string
	set         *token.FileSet
	done        map[string]*types.Package
	standard    types.Importer
	sites       []site
}

func main() {
	top, err := filepath.Abs(os.Args[1])
	must(err)
	text, err := os.ReadFile(filepath.Join(top, "go.mod"))
	must(err)
	set := token.NewFileSet()
	l := &loader{
		top: top, module: regexp.MustCompile(`(?m)^module\s+(\S+)`).FindStringSubmatch(string(text))[1],
		set: set, done: map[string]*types.Package{}, standard: importer.ForCompiler(set, "source", nil),
	}
	must(filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); path != top && (name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		relative, err := filepath.Rel(top, path)
		must(err)
		l.check(strings.TrimSuffix(l.module+"/"+filepath.ToSlash(relative), "/."), true)
		return nil
	}))
	written, err := json.Marshal(l.sites)
	must(err)
	must(os.WriteFile(os.Args[2], written, 0o644))
	fmt.Println(len(l.sites), "calls")
}

func (l *loader) Import(path string) (*types.Package, error) {
	if path == l.module || strings.HasPrefix(path, l.module+"/") {
		return l.check(path, false), nil
	}
	return l.standard.Import(path)
}

// Checks a package: alone when others import it, with its tests when its own calls are wanted.
func (l *loader) check(path string, isAsked bool) *types.Package {
	if found, ok := l.done[path]; ok && !isAsked {
		return found
	}
	folder := filepath.Join(l.top, strings.TrimPrefix(path, l.module))
	byPackage := map[string][]*ast.File{}
	names, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range names {
		if fits, _ := build.Default.MatchFile(folder, filepath.Base(name)); !fits {
			continue
		}
		if strings.HasSuffix(name, "_test.go") && !isAsked {
			continue
		}
		file, err := parser.ParseFile(l.set, name, nil, parser.SkipObjectResolution)
		if err == nil {
			byPackage[file.Name.Name] = append(byPackage[file.Name.Name], file)
		}
	}
	var own *types.Package
	for name, files := range byPackage {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
		made, _ := config.Check(path, l.set, files, info)
		if !strings.HasSuffix(name, "_test") {
			own = made
		}
		if isAsked {
			for _, file := range files {
				l.callsIn(file, info)
			}
		}
	}
	if !isAsked {
		l.done[path] = own
	}
	return own
}

func (l *loader) callsIn(file *ast.File, info *types.Info) {
	ast.Inspect(file, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			l.add(called(call.Fun), info)
		}
		return true
	})
}

func called(callee ast.Expr) *ast.Ident {
	switch callee := callee.(type) {
	case *ast.Ident:
		return callee
	case *ast.SelectorExpr:
		return callee.Sel
	case *ast.ParenExpr:
		return called(callee.X)
	case *ast.IndexExpr:
		return called(callee.X)
	case *ast.IndexListExpr:
		return called(callee.X)
	}
	return nil
}

func (l *loader) add(name *ast.Ident, info *types.Info) {
	if name == nil {
		return
	}
	kind := ""
	object := info.Uses[name]
	switch object := object.(type) {
	case *types.Func:
		object = object.Origin()
		kind = "function"
		if object.Type().(*types.Signature).Recv() != nil {
			kind = "method"
		}
	case *types.Var:
		kind = "held"
	default: // Conversions and what the language itself has.
		return
	}
	found := site{place: l.placed(name.Pos()), Name: name.Name, Kind: kind, Targets: []place{}}
	if function, ok := object.(*types.Func); ok {
		object = function.Origin()
	}
	if at := l.placed(object.Pos()); at.Path != "" {
		found.Targets = append(found.Targets, at)
	}
	l.sites = append(l.sites, found)
}

func (l *loader) placed(at token.Pos) place {
	position := l.set.Position(at)
	relative, err := filepath.Rel(l.top, position.Filename)
	if err != nil || strings.HasPrefix(relative, "..") {
		return place{}
	}
	return place{filepath.ToSlash(relative), position.Line}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
