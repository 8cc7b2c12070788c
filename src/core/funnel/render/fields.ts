import type { AnswerFault } from '../answers'
import { answerTo } from '../conditions-hold'
import type { FunnelField } from '../model'
import { fieldsOf } from '../way'
import { attributes, escapeHtml } from './escape'
import { drawPicture } from './files'
import { chosenText, htmlText, plainText } from './text'
import type { Drawing, PageView } from './view'

const TITLE = 'title'

/** A field with its label, the answer so far and what is wrong with it. */
export function drawField(drawing: Drawing, field: FunnelField): string {
  const fault = faultOf(drawing.view, field)
  const sentence = fault ? `<p class="fault" id="${faultId(field)}">${escapeHtml(drawing.words.faults[fault])}</p>` : ''
  return `<div class="field">${labelOf(drawing, field)}${inputOf(drawing, field)}${sentence}</div>`
}

const faultId = ({ id }: FunnelField): string => `fault-${escapeHtml(id)}`
const inputId = ({ id }: FunnelField): string => `field-${id}`

function inputOf(drawing: Drawing, field: FunnelField): string {
  switch (field.kind) {
    case 'single':
    case 'multi':
      return drawChoice(drawing, field)
    case 'consent':
      return drawConsent(drawing, field)
    case 'rating':
      return drawRating(drawing, field)
    default:
      return drawInput(drawing, field)
  }
}

/** Answers are in the form under a name of their own, so that no field can have the name of something else. */
const nameOf = ({ id }: FunnelField): string => `a.${id}`

const faultOf = ({ faults }: PageView, { id }: FunnelField): AnswerFault | null =>
  Object.hasOwn(faults, id) ? (faults[id] ?? null) : null

const labelId = ({ id }: FunnelField): string => `label-${id}`

/** The visible label of a field: its own; on a page without blocks that has several fields, each field gets one. */
function labelText({ view: { page }, scope }: Drawing, { kind, id, label, placeholder }: FunnelField): string {
  if (kind === 'consent') return '' // Its text is beside its box.
  const own = label ? htmlText(label, scope) : ''
  if (own !== '' || page.blocks || fieldsOf(page).length === 1) return own
  return (placeholder && htmlText(placeholder, scope)) || escapeHtml(id)
}

function labelOf(drawing: Drawing, field: FunnelField): string {
  const text = labelText(drawing, field)
  if (text === '') return ''
  const isGroup = ['single', 'multi', 'rating'].includes(field.kind)
  const [tag, target] = isGroup ? ['p', null] : ['label', inputId(field)]
  return `<${tag}${attributes({ class: 'label', for: target, id: labelId(field) })}>${text}</${tag}>`
}

/** What names a field for screen readers: the title of the page, and the label of the field. */
const namesOf = (drawing: Drawing, field: FunnelField): string =>
  labelText(drawing, field) === '' ? TITLE : `${TITLE} ${labelId(field)}`

const stateOf = ({ view }: Drawing, field: FunnelField) => ({
  required: field.required,
  'aria-invalid': faultOf(view, field) ? 'true' : null,
  'aria-describedby': faultOf(view, field) ? faultId(field) : null,
})

function drawChoice(drawing: Drawing, field: FunnelField): string {
  const { scope, view } = drawing
  const chosen = [answerTo(view.answers, field.id)].flat()
  const type = field.kind === 'single' ? 'radio' : 'checkbox'
  const options = field.options.map(({ id, label, image }) => {
    const input = attributes({
      type,
      name: nameOf(field),
      value: id,
      checked: chosen.includes(id),
      required: type === 'radio' && field.required,
    })
    const picture = image ? drawPicture(drawing, image, { sizes: '48px', isDecoration: true }) : ''
    return `<label class="option"><input${input}>${picture}<span>${htmlText(label, scope) || escapeHtml(id)}</span></label>`
  })
  const group = attributes({
    class: 'choice',
    'aria-labelledby': namesOf(drawing, field),
    'aria-describedby': stateOf(drawing, field)['aria-describedby'],
  })
  return `<fieldset${group}>${options.join('')}</fieldset>`
}

function drawConsent(drawing: Drawing, field: FunnelField): string {
  const { scope, view, words } = drawing
  const input = {
    type: 'checkbox',
    name: nameOf(field),
    value: 'true',
    checked: answerTo(view.answers, field.id) === true,
  }
  const text = field.placeholder ? htmlText(field.placeholder, scope) : escapeHtml(words.terms)
  return `<label class="option"><input${attributes({ ...input, ...stateOf(drawing, field) })}><span>${text}</span></label>`
}

function drawRating(drawing: Drawing, field: FunnelField): string {
  const [from, to] = [Number(field.min ?? 1), Math.min(Number(field.max ?? 5), Number(field.min ?? 1) + 19)]
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const inputs = numbers.map((number) => {
    const isChosen = answerTo(drawing.view.answers, field.id) === number
    const input = { type: 'radio', name: nameOf(field), value: number, checked: isChosen, required: field.required }
    return `<label class="star"><input${attributes(input)}><span>${number}</span></label>`
  })
  return `<fieldset${attributes({ class: 'rating', 'aria-labelledby': namesOf(drawing, field) })}>${inputs.join('')}</fieldset>`
}

const INPUTS: Partial<Record<FunnelField['kind'], Readonly<Record<string, string>>>> = {
  text: { type: 'text' },
  email: { type: 'email', autocomplete: 'email', inputmode: 'email' },
  phone: { type: 'tel', autocomplete: 'tel', inputmode: 'tel' },
  date: { type: 'date' },
  number: { type: 'number', step: 'any', inputmode: 'decimal' },
  height: { type: 'number', step: 'any', inputmode: 'decimal' },
  weight: { type: 'number', step: 'any', inputmode: 'decimal' },
  slider: { type: 'range', step: 'any' },
}
const PATTERNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  zip: { autocomplete: 'postal-code' },
}

function drawInput(drawing: Drawing, field: FunnelField): string {
  const { scope, view, words } = drawing
  const isText = field.kind === 'text'
  const given = {
    id: inputId(field),
    name: nameOf(field),
    value: answerValue(answerTo(view.answers, field.id)),
    ...INPUTS[field.kind],
    ...(field.pattern && PATTERNS[field.pattern]),
    [isText ? 'minlength' : 'min']: field.min,
    [isText ? 'maxlength' : 'max']: field.max,
    placeholder: field.placeholder ? plainText(field.placeholder, scope) : null,
    ...nameOfInput(drawing, field),
    ...stateOf(drawing, field),
  }
  const unit = field.kind === 'height' ? words.centimetres : field.kind === 'weight' ? words.kilograms : ''
  return `<span class="input"><input${attributes(given)}>${unit === '' ? '' : `<span>${unit}</span>`}</span>`
}

const answerValue = (answer: unknown): string | null =>
  answer == null || typeof answer === 'object' ? null : String(answer)

/** Without a label the title of the page names its only field; with several, the placeholder names it. */
function nameOfInput(drawing: Drawing, field: FunnelField) {
  const { view, scope } = drawing
  const title = chosenText(view.page.title, scope)
  const isNamed = labelText(drawing, field) !== '' || (fieldsOf(view.page).length === 1 && title !== '')
  if (isNamed) return { 'aria-labelledby': namesOf(drawing, field) }
  const own = field.placeholder ? plainText(field.placeholder, scope) : ''
  return { 'aria-label': [title, own || field.id].filter((part) => part !== '').join(': ') }
}
