// Verifies a log with the packages by which Go verifies its own: the note's signature, every tile that a proof needs,
// consistency with an earlier checkpoint, inclusion by the tiles, and proofs as the service hands them out.
//
// The folder has the log's files, `earlier` (a checkpoint) and `proofs` (a line for each: entry in hex, proof in base64).
package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type files string

func (f files) Height() int { return 8 }

func (f files) SaveTiles([]tlog.Tile, [][]byte) {}

func (f files) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range tiles {
		// tlog spells tile/8/L/N; the format of the log leaves the height out
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		content, err := os.ReadFile(filepath.Join(string(f), path))
		if err != nil {
			return nil, err
		}
		found = append(found, content)
	}
	return found, nil
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Println("refused:", err)
		os.Exit(1)
	}
}

func tree(text, key string) tlog.Tree {
	opened := must(note.Open([]byte(text), note.VerifierList(must(note.NewVerifier(key)))))
	lines := strings.Split(opened.Text, "\n")
	found := tlog.Tree{N: must(strconv.ParseInt(lines[1], 10, 64))}
	copy(found.Hash[:], must(base64.StdEncoding.DecodeString(lines[2])))
	return found
}

func checkProof(text, key string, entry []byte) int64 {
	head, signed, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	index := must(strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64))
	var proof tlog.RecordProof
	for _, line := range lines[2:] {
		var hash tlog.Hash
		copy(hash[:], must(base64.StdEncoding.DecodeString(line)))
		proof = append(proof, hash)
	}
	of := tree(signed, key)
	check(tlog.CheckRecord(proof, of.N, of.Hash, index, tlog.RecordHash(entry)))
	return index
}

func main() {
	folder := os.Args[1]
	read := func(name string) string { return string(must(os.ReadFile(filepath.Join(folder, name)))) }
	key := strings.TrimSpace(read("key"))
	now, earlier := tree(read("checkpoint"), key), tree(read("earlier"), key)
	hashes := tlog.TileHashReader(now, files(folder))
	check(tlog.CheckTree(must(tlog.ProveTree(now.N, earlier.N, hashes)), now.N, now.Hash, earlier.N, earlier.Hash))
	for _, line := range strings.Split(strings.TrimSpace(read("proofs")), "\n") {
		left, right, _ := strings.Cut(line, " ")
		entry := must(hex.DecodeString(left))
		index := checkProof(string(must(base64.StdEncoding.DecodeString(right))), key, entry)
		proof := must(tlog.ProveRecord(now.N, index, hashes))
		check(tlog.CheckRecord(proof, now.N, now.Hash, index, tlog.RecordHash(entry)))
	}
	fmt.Println("holds", now.N)
}
