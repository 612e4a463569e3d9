"""The site: tutorials, guides, reference, explanation and the course, as static pages.

`python -m dev.tools.site.build OUT` writes it. `dev/site/pages.toml` says which page stands in
which part. The reference is generated from the code, and the chapters from the notebooks; all other
pages are the Markdown files of `docs/`.

Start with `build.py`.
"""
