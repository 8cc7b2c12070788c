import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packText } from '../../base/lib/packed-text'
import { CONTENTS } from './contents'
import { renderPage } from './markdown'
import type { Group } from './page'

/** The packed JSON of the written pages. It is a macro, so that the executable contains their HTML and no renderer. */
export const packGuide = (): string => packText(JSON.stringify(renderGuide()))

function renderGuide(): Group[] {
  const folder = join(import.meta.dir, 'pages')
  return CONTENTS.map(({ title, pages }) => ({
    title,
    pages: pages.map((slug) => renderPage(slug, readFileSync(join(folder, `${slug}.md`), 'utf8'))),
  }))
}
