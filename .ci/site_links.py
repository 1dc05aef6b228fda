"""site_links.py FOLDER: fails when a relative link of any HTML page below it leads to no file, or to no anchor of that page.

Within the Javadoc only files are checked: its anchors are the tool's, and JDK 17 makes a wrong one in constant-values.html.
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(file.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ('id', 'name') if values.get(name))
        self.links.extend(values[name] for name in ('href', 'src') if values.get(name))


root = pathlib.Path(sys.argv[1]).resolve()
pages = {file: Page(file) for file in sorted(root.rglob('*.html'))}
broken, links = [], 0
for file, page in pages.items():
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        links += 1
        path = urllib.parse.unquote(parts.path)
        base = root if path.startswith('/') else file.parent
        target = (base / path.lstrip('/')).resolve() if path else file
        if target.is_dir():
            target /= 'index.html'
        anchor = '' if file.is_relative_to(root / 'api') else urllib.parse.unquote(parts.fragment)
        if not target.is_file() or anchor and target in pages and anchor not in pages[target].anchors:
            broken.append(f'{file.relative_to(root)}: {link}')
print(f'{len(pages)} pages, {links} links, {len(broken)} broken')
print('\n'.join(broken))
sys.exit(bool(broken) or not links)
