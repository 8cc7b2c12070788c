import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { readPages } from '../../src/core/funnel/pages'
import { writeFunnels } from '../../src/funnels/publication/service'
import { hasChromium, launchBrowser } from '../support/browser'
import { startServer } from './children'
import { SLOWED, SlowVisit } from './console-browser'
import { atMost } from './console-stage'
import { withContext } from './funnels'
import { median } from './measure'
import type { Row } from './report'
import { seed } from './seed'
import type { Template } from './template'

const SLUG = 'first'
/** A phone. */
const VIEWPORT = { width: 390, height: 844 }
/** What browsers call good. */
const GOOD_MS = atMost(2500)

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  rounds: number
  say: (line: string) => void
}

const option = (id: string, label: string, value: number) => ({ id, label: { en: label }, value })
const PAGES = [
  {
    ...{ id: 'ask', type: 'question', title: { en: 'How did you sleep last night?' }, next: { default: 'end' } },
    fields: [
      {
        ...{ id: 'sleep', kind: 'single', required: true },
        options: [option('well', 'Well', 3), option('so', 'So so', 2), option('badly', 'Badly', 1)],
      },
    ],
    blocks: [
      { id: 'progress', type: 'progress', props: {} },
      { id: 'title', type: 'heading', props: { text: { en: 'How did you sleep last night?' } } },
      { id: 'why', type: 'text', props: { text: { en: 'Your answer decides which of **four plans** we show.' } } },
      { id: 'field', type: 'field', props: { fieldId: 'sleep' } },
      { id: 'next', type: 'button', props: { label: { en: 'Go on' }, action: { type: 'next' } } },
    ],
  },
  { id: 'end', type: 'success', title: { en: 'Done' } },
]

/** The largest paint of the first page of a funnel on a phone, with slow 4G, a slowed processor and an empty cache. */
export async function benchFunnelPage(plan: Plan): Promise<Row[]> {
  if (!hasChromium) throw new Error('The page of a funnel is measured in Chromium, which is not on this machine')
  const { folder: root, template, command, rounds, say } = plan
  const folder = join(root, 'funnel-page')
  seed(template, folder, 10, say, ['subscribers'])
  const slug = await writeFunnel(folder, template.project.id)
  const server = await startServer(command, folder)
  const chrome = await launchBrowser()
  try {
    const spans: Record<'funnel' | 'guide', number[]> = { funnel: [], guide: [] }
    for (let round = 0; round <= rounds; round++) {
      const guide = await paintOf(chrome, server.url, '/docs/guide/start')
      const funnel = await paintOf(chrome, server.url, `/f/${slug}/${SLUG}`)
      say(`funnel page ${Math.round(funnel)} ms, guide ${Math.round(guide)} ms`)
      if (round === 0) continue // The first visit warms the server up.
      spans.funnel.push(funnel)
      spans.guide.push(guide)
    }
    return toRows(spans)
  } finally {
    await chrome.close()
    await server.stop()
  }
}

/** Each visit has an empty cache, and its connection is slow before anything is loaded. */
async function paintOf(chrome: Browser, url: string, path: string): Promise<number> {
  const visit = await SlowVisit.open(chrome, url, VIEWPORT)
  try {
    await visit.onSlowNetwork()
    return await visit.largestPaint(path)
  } finally {
    await visit.close()
  }
}

const writeFunnel = (folder: string, projectId: string): Promise<string> =>
  withContext(folder, async (ctx) => {
    const { pages, faults } = readPages(PAGES)
    if (faults.length > 0) throw new Error(JSON.stringify(faults))
    const draft = { pages, theme: {}, settings: { progress: true }, defaultLocale: 'en', locales: ['en'] }
    const funnel = { id: 'fnl_first', slug: SLUG, name: 'First', draft, isPublished: true }
    await ctx.write((tx) => writeFunnels(tx, projectId, { created: [funnel], updated: [], deletedIds: [] }, null))
    return (await ctx.state.projects.get(projectId)).slug
  })

function toRows({ funnel, guide }: Record<'funnel' | 'guide', number[]>): Row[] {
  return [
    {
      what: `first page of a funnel, ${VIEWPORT.width} px, slow 4G, processor slowed ${SLOWED} times: largest paint (yardstick: a page of the guide)`,
      result: { value: median(funnel), unit: 'ms' },
      yardstick: { value: median(guide), unit: 'ms' },
      aim: GOOD_MS,
      rounds: funnel,
    },
  ]
}
