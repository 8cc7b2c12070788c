import { conditionsHold } from '../conditions-hold'
import type { FunnelBlock, LocalText } from '../model'
import { actionValue } from '../step'
import { fieldsOf } from '../way'
import { drawChart } from './chart'
import { attributes, escapeHtml } from './escape'
import { drawField } from './fields'
import { drawLottie, drawPicture, drawVideo } from './files'
import { drawLegal, drawPlans } from './plans'
import { htmlText } from './text'
import type { Drawing } from './view'

/** The blocks that the visitor's answers show, in order. */
export const drawBlocks = (drawing: Drawing, blocks: readonly FunnelBlock[], today: string): string =>
  blocks
    .filter(({ visibleWhen }) => !visibleWhen || conditionsHold(visibleWhen, { answers: drawing.scope.answers, today }))
    .map((block) => `<div${attributes(placeOf(drawing, block))}>${drawBlock(drawing, block, today)}</div>`)
    .join('')

const placeOf = ({ view }: Drawing, block: FunnelBlock) => ({
  class: classesOf(block),
  'data-block': view.marksBlocks === true ? block.id : null,
})

const classesOf = ({ type, style }: FunnelBlock): string =>
  [
    'block',
    `b-${type}`,
    style?.align && `align-${style.align}`,
    style?.size && `size-${style.size}`,
    style?.tone && `tone-${style.tone}`,
    style?.space !== undefined && `space-${style.space}`,
  ]
    .filter((name) => name)
    .join(' ')

function drawBlock(drawing: Drawing, block: FunnelBlock, today: string): string {
  const { scope, words } = drawing
  const html = (text: LocalText) => htmlText(text, scope)
  switch (block.type) {
    case 'heading':
      return drawHeading(drawing, block.props)
    case 'text':
      return `<p>${html(block.props.text)}</p>`
    case 'list':
      return drawList(block.props.items.map(html), block.props.ordered ?? false)
    case 'image':
      return drawPicture(drawing, block.props)
    case 'video':
      return drawVideo(drawing, block.props)
    case 'lottie':
      return drawLottie(drawing, block.props)
    case 'spacer':
      return `<svg${attributes({ class: 'spacer', width: 1, height: block.props.size ?? 16, 'aria-hidden': 'true' })}></svg>`
    case 'divider':
      return '<hr>'
    case 'stack':
      return `<div${attributes({ class: stackClasses(block.props) })}>${drawBlocks(drawing, block.props.children, today)}</div>`
    case 'card':
      return `<div class="card">${drawBlocks(drawing, block.props.children, today)}</div>`
    case 'button':
      return drawButton(drawing, block.props)
    case 'field':
      return drawFieldBlock(drawing, block.props.fieldId)
    case 'progress':
      return drawProgress(drawing)
    case 'timer':
      return `<progress${attributes({ class: 'timer', 'data-seconds': block.props.seconds, 'data-then': block.props.then && actionValue(block.props.then), 'aria-label': words.progress })}></progress>`
    case 'testimonial':
      return drawTestimonial(drawing, block.props)
    case 'faq':
      return block.props.items
        .map(({ question, answer }) => `<details><summary>${html(question)}</summary><p>${html(answer)}</p></details>`)
        .join('')
    case 'chart':
      return drawChart(block.props, scope)
    case 'plans':
      return drawPlans(drawing, block.props)
    case 'legal':
      return drawLegal(drawing, block.props.text)
    case 'store_buttons':
      return (drawing.view.ways?.stores ?? []).map(drawStore).join('')
    case 'qr':
      return drawing.view.ways?.code ?? ''
    case 'html':
      return drawFrame(drawing, block.props)
    default:
      return ''
  }
}

const stackClasses = ({ direction, gap }: { direction: string; gap?: number }): string =>
  `stack ${direction}${gap === undefined ? '' : ` gap-${gap}`}`

/** The policy of the page allows no style in an element, so distances of its own are rules of its style sheet. */
export function distanceRules(blocks: readonly FunnelBlock[]): string {
  const spaces = new Set(blocks.flatMap(({ style }) => style?.space ?? []))
  const gaps = new Set(blocks.flatMap((block) => (block.type === 'stack' ? (block.props.gap ?? []) : [])))
  const rules = [...spaces].map((pixels) => `.space-${pixels}{margin-block:${pixels}px}`)
  return [...rules, ...[...gaps].map((pixels) => `.gap-${pixels}{gap:${pixels}px}`)].join('')
}

/** The first heading of a page without a title is its `h1`; all others lie below it. */
function drawHeading({ scope, view }: Drawing, { text, level }: { text: LocalText; level?: 1 | 2 | 3 }): string {
  const first = view.page.blocks?.find(({ type }) => type === 'heading')
  const isTitle = first?.type === 'heading' && first.props.text === text
  const tag = isTitle ? 'h1 id="title"' : `h${Math.max(level ?? 2, 2)}`
  return `<${tag}>${htmlText(text, scope)}</${tag.slice(0, 2)}>`
}

const drawList = (items: readonly string[], isOrdered: boolean): string => {
  const tag = isOrdered ? 'ol' : 'ul'
  return `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`
}

function drawButton({ scope, words }: Drawing, props: Extract<FunnelBlock, { type: 'button' }>['props']): string {
  const { label, action, isSecondary } = props
  const text = htmlText(label, scope) || escapeHtml(words.next)
  const look = isSecondary ? 'secondary' : 'primary'
  if (action.type === 'open')
    return `<a${attributes({ class: `button ${look}`, href: action.url, rel: 'noopener noreferrer' })}>${text}</a>`
  const isLeaving = action.type === 'back' || action.type === 'skip'
  const given = { class: look, name: 'action', value: actionValue(action), formnovalidate: isLeaving }
  return `<button${attributes({ type: 'submit', ...given })}>${text}</button>`
}

const drawStore = ({ label, url }: { label: string; url: string }): string =>
  `<a${attributes({ class: 'button secondary', href: url, rel: 'noopener noreferrer' })}>${escapeHtml(label)}</a>`

const FRAME_HEIGHT = 240

/** A frame that can reach nothing and is no part of this page. Never on a payment page: it could imitate the card form. */
function drawFrame({ view, words }: Drawing, { source, height = FRAME_HEIGHT }: { source: string; height?: number }) {
  if (view.page.type === 'payment' || !view.links.frame) return ''
  const given = { class: 'html', sandbox: 'allow-scripts', src: view.links.frame(source), title: words.frame }
  return `<iframe${attributes({ ...given, height, referrerpolicy: 'no-referrer' })}></iframe>`
}

function drawFieldBlock(drawing: Drawing, fieldId: string): string {
  const field = fieldsOf(drawing.view.page).find(({ id }) => id === fieldId)
  return field ? drawField(drawing, field) : ''
}

export const drawProgress = ({ view, words }: Drawing): string =>
  `<progress${attributes({ class: 'way', max: 100, value: Math.round(view.progress * 100), 'aria-label': words.progress })}></progress>`

function drawTestimonial(drawing: Drawing, props: Extract<FunnelBlock, { type: 'testimonial' }>['props']): string {
  const { scope } = drawing
  const { quote, author, rating, image } = props
  const picture = image ? drawPicture(drawing, image) : ''
  const stars =
    rating === undefined
      ? ''
      : `<p class="stars" role="img" aria-label="${rating}/5">${'★'.repeat(rating)}${'☆'.repeat(5 - rating)}</p>`
  return `<figure>${picture}${stars}<blockquote>${htmlText(quote, scope)}</blockquote><figcaption>${htmlText(author, scope)}</figcaption></figure>`
}
