"""The site's navigation: the groups of docs/README.md with their pages, then the Javadoc of each module; and lists of folders."""

import pathlib
import re

GROUP = re.compile(r'^\*\*(.+)\*\*$|\[([^]]+)\]\(([^)]+\.md)\)', re.MULTILINE)


def on_config(config):
    pages = pathlib.Path(config['docs_dir'])
    nav = [{'Buffers': 'README.md'}]
    for group, title, link in GROUP.findall((pages / 'docs/README.md').read_text(encoding='utf-8')):
        if group:
            nav.append({group: []})
        else:
            file = (pages / 'docs' / link).resolve().relative_to(pages.resolve()).as_posix()
            next(iter(nav[-1].values())).append({title[0].upper() + title[1:]: file})
    modules = sorted(folder.name for folder in (pages / 'api').iterdir())
    nav.append({'Javadoc': [{module: f'api/{module}/index.html'} for module in modules]})
    config['nav'] = nav
    return config


def on_post_build(config):
    """Pages link to folders; a folder without a page gets a list of its files."""
    site = pathlib.Path(config['site_dir'])
    for folder in [entry for entry in site.rglob('*') if entry.is_dir() and not (entry / 'index.html').exists()]:
        if folder.relative_to(site).parts[0] in ('api', 'assets', 'search'):
            continue
        names = sorted(entry.name + '/' * entry.is_dir() for entry in folder.iterdir())
        items = ''.join(f'<li><a href="{name}">{name}</a></li>' for name in names)
        (folder / 'index.html').write_text(f'<!doctype html><title>{folder.name}</title><ul>{items}</ul>', encoding='utf-8')
