import type { BlockProps, LocalText } from '../model'
import { attributes, escapeHtml } from './escape'
import { formatMoney, type PackagePrice, priceFor } from './money'
import { htmlText } from './text'
import type { Drawing, PageView } from './view'
import type { Words } from './words'

/** The packages to choose from. The price that will be charged is the largest one. */
export function drawPlans(drawing: Drawing, props: BlockProps['plans']): string {
  const { view, words } = drawing
  const shown = packagesOf(view.prices, props.packages)
  if (shown.length === 0) return `<p class="fault">${escapeHtml(words.noPrice)}</p>`
  const find = (id: string | null | undefined) => shown.find(({ packageIdentifier }) => packageIdentifier === id)
  const chosen = find(view.chosenPackage) ?? find(props.highlight) ?? shown[0]
  const options = shown.map((price) => drawPlan(drawing, price, props, price === chosen))
  return `<fieldset class="plans ${props.layout}" aria-labelledby="title">${options.join('')}</fieldset>`
}

const packagesOf = (
  prices: readonly PackagePrice[],
  wanted: BlockProps['plans']['packages'],
): readonly PackagePrice[] =>
  wanted === 'offering'
    ? prices
    : wanted.flatMap((id) => prices.filter(({ packageIdentifier }) => packageIdentifier === id))

function drawPlan(drawing: Drawing, price: PackagePrice, props: BlockProps['plans'], isChosen: boolean): string {
  const { view, words } = drawing
  const input = attributes({
    type: 'radio',
    name: 'package',
    value: price.packageIdentifier,
    checked: isChosen,
    required: true,
  })
  const perDay = props.showPerDay ? priceFor(price, 'day') : null
  const lines = [
    `<span class="plan-name">${escapeHtml(price.name)}</span>`,
    `<strong class="price">${escapeHtml(formatMoney(price.price, view.locale))} <small>${escapeHtml(periodOf(drawing, price))}</small></strong>`,
    price.trialDays > 0 ? `<span class="trial">${escapeHtml(words.trial(price.trialDays))}</span>` : '',
    perDay ? `<small>${escapeHtml(words.perDay(formatMoney(perDay, view.locale)))}</small>` : '',
  ]
  const look = price.packageIdentifier === props.highlight ? 'option plan highlight' : 'option plan'
  return `<label class="${look}"><input${input}><span>${lines.join('')}</span></label>`
}

export const periodOf = ({ words }: Pick<Drawing, 'words'>, { interval, intervalCount }: PackagePrice): string =>
  interval === null ? words.once : words.every[interval](intervalCount)

/** What will be charged and until when, and the terms and the privacy policy. */
export function drawLegal(drawing: Drawing, text: LocalText | undefined): string {
  const { scope, view } = drawing
  const own = text
    ? [`<p>${htmlText(text, scope)}</p>`]
    : view.prices.filter(({ interval }) => interval !== null).map((price) => renewalOf(drawing, price))
  const links = linksOf(view.links, drawing.words)
  return `<div class="legal">${own.join('')}${links === '' ? '' : `<p>${links}</p>`}</div>`
}

const renewalOf = (drawing: Drawing, price: PackagePrice): string => {
  const amount = formatMoney(price.price, drawing.view.locale)
  return `<p>${escapeHtml(`${price.name}: ${drawing.words.renews(amount, periodOf(drawing, price))}`)}</p>`
}

/** The links to what the visitor agrees to. `target` is the window that they open in. */
export const linksOf = (
  links: Pick<PageView['links'], 'terms' | 'privacy'>,
  words: Pick<Words, 'terms' | 'privacy'>,
  target: '_blank' | null = null,
): string =>
  [
    [links.terms, words.terms],
    [links.privacy, words.privacy],
  ]
    .flatMap(([url, label]) =>
      url ? [`<a${attributes({ href: url, rel: 'noopener noreferrer', target })}>${escapeHtml(label ?? '')}</a>`] : [],
    )
    .join(' · ')
