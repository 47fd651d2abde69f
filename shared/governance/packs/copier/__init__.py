"""The copier of papers: the pages of a PDF that a stranger's program made, written behind the pages of a pack.

It knows pikepdf (qpdf) for what it reads and fpdf2 for what it draws, and nothing of boards. Call `copying.copy_pages`;
`report` has its results. It promises:

- What a reader sees of a page when the file is opened is in the copy: content, fonts, pictures, values of forms, marks.
- What is not on the list of `kinds` is not: scripts, actions, embedded files, external content, metadata, hidden
  layers. Links with a destination in the paper or an http, https or mailto address are written anew.
- What a reader would miss is reported (`left_out`), and a paper that cannot be copied raises one `report.PaperError`.
- No two papers are in memory at the same time; pages and objects are bounded. Time, memory and disk are bounded by the
  process that calls it (`governance.packs.__main__`), in which alone it runs.

It is judged dot by dot: PDFium draws each paper and its copy (tests/packs/comparing.py), for the papers that
tests/packs/sample_papers.py makes and those that others made (tests/packs/papers). ADR packs says what was decided.
"""
