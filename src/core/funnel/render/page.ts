import { actionOf } from '../step'
import { blocksOf } from '../walk'
import { fieldsOf } from '../way'
import { distanceRules, drawBlocks, drawProgress } from './blocks'
import { attributes, escapeHtml } from './escape'
import { drawField } from './fields'
import { drawPicture } from './files'
import { fontRules } from './fonts'
import { drawLegal, drawPlans, linksOf } from './plans'
import { styleSheet } from './styles'
import { htmlText, plainText } from './text'
import type { Drawing, PageView } from './view'
import { directionOf, type Notice, wordsFor } from './words'

/**
 * A page of a funnel as a whole HTML document (funnels 9). It needs no script: what a visitor does is a form. `today` is
 * the day in UTC.
 */
export function renderPage(view: PageView, today: string): string {
  const drawing = drawingOf(view)
  const { scope, words } = drawing
  const title = plainText(view.page.title, scope) || view.name
  const distances = distanceRules(blocksOf(view.page, '').map(([block]) => block))
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)}</title><meta name="robots" content="noindex">`,
    `<style nonce="${escapeHtml(view.nonce)}">${styleSheet(view.content.theme)}${fontRules(view)}${distances}</style>`,
    ...(view.leadsTo === undefined
      ? []
      : [`<meta${attributes({ 'http-equiv': 'refresh', content: `0;url=${view.leadsTo}` })}>`]),
    ...(view.scripts ?? []).map((src) => `<script${attributes({ src, defer: true })}></script>`),
  ]
  const hint = view.isPreview ? `<p class="preview" role="note">${escapeHtml(words.preview)}</p>` : ''
  const body = `<header>${headerOf(drawing)}</header><main>${hint}${formOf(drawing, today)}${view.below ?? ''}</main><footer>${linksOf(view.links, words)}</footer>`
  return `<!doctype html><html${attributes({ lang: view.locale, dir: directionOf(view.locale), 'data-load': view.needsLoad ?? false })}><head>${head.join('')}</head><body>${body}</body></html>`
}

function drawingOf(view: PageView): Drawing {
  const { locale, answers, query, prices, content } = view
  const scope = { locale, defaultLocale: content.defaultLocale, pages: content.pages, answers, query, prices }
  return { view, scope, words: wordsFor(locale) }
}

function headerOf(drawing: Drawing): string {
  const { view, words } = drawing
  const given = {
    type: 'submit',
    form: 'page',
    class: 'back',
    name: 'action',
    value: 'back',
    formnovalidate: true,
    'aria-label': words.back,
  }
  const arrow = directionOf(view.locale) === 'rtl' ? '→' : '←'
  const back = view.canGoBack && view.settings.back !== false ? `<button${attributes(given)}>${arrow}</button>` : ''
  const { logo } = view.content.theme
  const picture = logo ? drawPicture(drawing, logo, { class: 'logo', sizes: '96px' }) : ''
  return enterButton(drawing) + back + picture + (view.settings.progress === false ? '' : drawProgress(drawing))
}

/** A hidden first button, because Enter presses the first button of a form, and that would be the back button. */
function enterButton(drawing: Drawing): string {
  if (!offersNext(drawing)) return ''
  const { name, value } = drawing.view.enter ?? { name: 'action', value: 'next' }
  return `<button${attributes({ form: 'page', class: 'sr-only', tabindex: -1, 'aria-hidden': 'true', name, value })}></button>`
}

function formOf(drawing: Drawing, today: string): string {
  const { view } = drawing
  const { action, method, hidden } = view.form
  const inputs = Object.entries(hidden).map(([name, value]) => `<input${attributes({ type: 'hidden', name, value })}>`)
  const content = view.page.blocks ? drawBlocks(drawing, view.page.blocks, today) : defaultLayout(drawing)
  return `<form${attributes({ id: 'page', action, method, 'data-type': view.page.type })}>${inputs.join('')}${titleOf(drawing)}${content}${nextButton(drawing)}</form>`
}

/** A page has one `h1`: its first heading, else its title, which only screen readers get where blocks are drawn. */
function titleOf({ view, scope }: Drawing): string {
  const { blocks, title } = view.page
  if (blocks?.some(({ type }) => type === 'heading')) return ''
  const text = htmlText(title, scope) || escapeHtml(view.name)
  const isShown = !blocks && Object.keys(title).length > 0
  return `<h1${attributes({ id: 'title', class: isShown ? null : 'sr-only' })}>${text}</h1>`
}

/** How pages without blocks are drawn: the title, the fields, and on a payment page all packages. */
function defaultLayout(drawing: Drawing): string {
  const { page } = drawing.view
  const fields = fieldsOf(page).map((field) => drawField(drawing, field))
  const plans =
    page.type === 'payment'
      ? drawPlans(drawing, { packages: 'offering', layout: 'list' }) + drawLegal(drawing, undefined)
      : ''
  return fields.join('') + plans
}

/** Whether a button of the page itself leads on. */
const hasNext = ({ view: { page } }: Drawing): boolean =>
  blocksOf(page, '').some(([block]) => {
    const type = block.type === 'button' ? actionOf(block)?.type : undefined
    return type === 'next' || type === 'to'
  })

/** Pages at the end have nowhere to continue to. */
const offersNext = ({ view: { page } }: Drawing): boolean => page.type !== 'success'

function nextButton(drawing: Drawing): string {
  const { view, words } = drawing
  if (!offersNext(drawing) || hasNext(drawing) || view.hidesNext === true) return ''
  const isPayment = view.page.type === 'payment'
  const given = {
    type: 'submit',
    class: 'primary',
    name: 'action',
    value: 'next',
    disabled: isPayment && view.isPreview,
  }
  return `<button${attributes(given)}>${escapeHtml(isPayment ? words.pay : words.next)}</button>`
}

/** A page in place of one of a funnel: a sentence that says what to do. */
export function renderNotice({ title, text }: Notice, locale: string, nonce: string): string {
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)}</title><meta name="robots" content="noindex">`,
    `<style nonce="${escapeHtml(nonce)}">${styleSheet({ dark: {} })}</style>`,
  ]
  const body = `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`
  return `<!doctype html><html${attributes({ lang: locale, dir: directionOf(locale) })}><head>${head.join('')}</head><body>${body}</body></html>`
}
