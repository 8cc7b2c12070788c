import { describe, expect, test } from 'bun:test'
import type { ShownAsset, ShownFont } from '../files'
import type { FunnelBlock, FunnelPage, FunnelTheme } from '../model'
import { renderPage } from './page'

const HILLS: ShownAsset = {
  kind: 'image',
  url: '/assets/p/ast_hills/0a',
  width: 1080,
  height: 720,
  widths: [320, 640],
  alt: { en: 'Hills "at" night', tr: 'Gece tepeler' },
}
const WALK: ShownAsset = { ...HILLS, kind: 'video', url: '/assets/p/ast_walk/0b', widths: [], alt: {} }
const BREATH: ShownAsset = { ...HILLS, kind: 'lottie', url: '/assets/p/ast_breath/0c', widths: [] }
const SILENT: ShownAsset = { ...BREATH, url: '/assets/p/ast_silent/0d', width: null, height: null, alt: {} }
const FILES: Record<string, ShownAsset> = {
  ...{ ast_hills: HILLS, ast_walk: WALK },
  ...{ ast_breath: BREATH, ast_silent: SILENT },
}

const SANS: ShownFont = {
  id: 'ffm_sans',
  faces: [
    { weight: 400, style: 'normal', url: '/assets/p/fonts/f/1.woff2', latinUrl: '/assets/p/fonts/f/1.latin.woff2' },
    { weight: 700, style: 'italic', url: '/assets/p/fonts/g/2.woff2', latinUrl: null },
  ],
}

function drawn(
  blocks: readonly object[],
  { theme = {}, locale = 'en' }: { theme?: FunnelTheme; locale?: string } = {},
) {
  const page: FunnelPage = {
    ...{ id: 'a', type: 'info', title: { en: 'A' }, fields: [], next: { rules: [], default: null } },
    blocks: blocks.map((block, at) => ({ id: `b${at}`, ...block })) as FunnelBlock[],
  }
  return renderPage(
    {
      ...{ name: 'F', page, locale, answers: {}, query: {}, prices: [], progress: 0, canGoBack: false, faults: {} },
      content: { pages: [page], theme, defaultLocale: 'en' },
      settings: {},
      form: { action: '/f/p/f', method: 'post', hidden: {} },
      links: {
        ...{ terms: null, privacy: null },
        asset: (id) => FILES[id] ?? null,
        font: (id) => (id === 'ffm_sans' ? SANS : null),
      },
      ...{ nonce: 'n', isPreview: false },
    },
    '2026-11-20',
  )
}

const image = (asset: string, more: object = {}) => ({ type: 'image', props: { asset, ...more } })

describe('a picture', () => {
  test('comes in its sizes, with its own size and the text of the file', () => {
    expect(drawn([image('ast_hills')])).toContain(
      '<img src="/assets/p/ast_hills/0a" srcset="/assets/p/ast_hills/0a?w=320 320w,/assets/p/ast_hills/0a?w=640 640w,/assets/p/ast_hills/0a 1080w" sizes="(max-width:32rem) 100vw,32rem" width="1080" height="720" loading="lazy" decoding="async" alt="Hills &quot;at&quot; night">',
    )
  })

  test('has the text of the block before that of the file, in the language of the visitor', () => {
    expect(drawn([image('ast_hills')], { locale: 'tr' })).toContain('alt="Gece tepeler"')
    expect(drawn([image('ast_hills', { alt: { en: 'Night' } })])).toContain('alt="Night"')
  })

  test.each(['ast_gone', 'ast_walk', 'ast_breath'])('is left out when its file is %s', (asset) => {
    const html = drawn([image(asset)])
    expect(html).not.toContain('<img')
    expect(html).not.toContain('undefined')
  })

  test('of an option or of the theme is small', () => {
    const html = drawn([], { theme: { logo: { asset: 'ast_hills' } } })
    expect(html).toMatch(/<header>.*<img class="logo" .*sizes="96px".*<\/header>/)
  })
})

test('a video has its size and a picture before it plays, and nothing of another kind is one', () => {
  const video = (props: object) => drawn([{ type: 'video', props }])
  expect(video({ asset: 'ast_walk', poster: { asset: 'ast_hills' }, loop: true })).toContain(
    '<video src="/assets/p/ast_walk/0b" poster="/assets/p/ast_hills/0a" width="1080" height="720" controls playsinline loop preload="metadata">',
  )
  expect(video({ asset: 'ast_walk', poster: { asset: 'ast_breath' } })).not.toContain('poster')
  expect(video({ asset: 'ast_hills' })).not.toContain('<video')
})

describe('an animation', () => {
  const animation = (props: object) => drawn([{ type: 'lottie', props }])

  test('has a place of its size with its text, which a script fills', () => {
    const alt = { en: 'A <calm> breath' }
    expect(animation({ asset: 'ast_breath', alt, loop: true })).toContain(
      '<div class="animation" role="img" aria-label="A &lt;calm&gt; breath" data-animation="/assets/p/ast_breath/0c" data-loop><svg width="1080" height="720" viewBox="0 0 1080 720" aria-hidden="true"></svg><p>A &lt;calm&gt; breath</p></div>',
    )
  })

  test('plays once unless its block says otherwise, and is left out for screen readers without a text', () => {
    const html = animation({ asset: 'ast_silent' })
    expect(html).toContain('<div class="animation" aria-hidden="true" data-animation="/assets/p/ast_silent/0d">')
    expect(html).toContain('<svg width="320" height="180" viewBox="0 0 320 180" aria-hidden="true"></svg>')
  })

  test.each(['ast_gone', 'ast_walk', 'ast_hills'])('is left out when its file is %s', (asset) => {
    expect(animation({ asset })).not.toContain('class="animation"')
  })
})

describe('the fonts of a theme', () => {
  test('are loaded from this server, the Latin letters apart', () => {
    const html = drawn([], { theme: { fonts: { heading: 'ffm_sans', body: 'system' } } })
    expect(html).toContain(
      '@font-face{font-family:"ffm_sans";font-weight:400;font-style:normal;font-display:swap;src:url("/assets/p/fonts/f/1.woff2") format("woff2")}',
    )
    expect(html).toMatch(/1\.latin\.woff2"\) format\("woff2"\);unicode-range:U\+20-24F,/)
    expect(html).toContain('h1,h2,h3{font-family:"ffm_sans",system-ui,sans-serif}')
    expect(html).not.toContain('body{font-family')
    expect(html.match(/@font-face/g)).toHaveLength(3)
  })

  test('are written once when headings and text have the same', () => {
    expect(
      drawn([], { theme: { fonts: { heading: 'ffm_sans', body: 'ffm_sans' } } }).match(/@font-face/g),
    ).toHaveLength(3)
  })

  test('that are missing leave the font of the system', () => {
    expect(drawn([], { theme: { fonts: { heading: 'ffm_gone', body: 'ffm_gone' } } })).not.toContain('ffm_')
    expect(drawn([])).not.toContain('@font-face')
  })
})
