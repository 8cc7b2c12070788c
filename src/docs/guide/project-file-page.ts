// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of project files have this form.
import { SCHEMA_PATH } from '../../projects/project-file/file-schema'
import type { Schema } from '../../projects/project-file/reader'
import { codeSpan, GUIDE, type Page } from './page'
import { marked, NONE, named, table } from './reference-html'

/** Every section of the project file with its members, made from the schema of the file. */
export function projectFilePage(schema: Schema): Page {
  const sections = Object.entries(schema.properties as Record<string, Schema>)
  return {
    slug: 'reference/project-file',
    title: 'Project file',
    summary: 'Every section and every member of <code>svc.yaml</code>, and what each takes.',
    html: [ABOUT, ...sections.map(sectionHtml)].join('\n'),
    headings: sections.map(([name]) => ({ level: 2 as const, id: name, text: name })),
  }
}

const ABOUT = `<p>This page is made from the schema at <code>${SCHEMA_PATH}</code>, which <code>svc schema</code> prints.
<code>NAME</code> stands for each name that you give, and <code>[]</code> for each item of a list. In the place of a text or a
number there may be a placeholder: <code>\${env:NAME}</code> or <code>\${file:./path}</code>. What can be absent can also be
<code>null</code>. <a href="${GUIDE}project">Your own project</a> has a whole file as an example.</p>`

const SECTIONS: Readonly<Record<string, string>> = {
  version: 'The version of this format.',
  project: 'The project itself and its settings. `was` names the slug of before when it changes.',
  access: 'What products give, by identifier.',
  virtualCurrencies: 'Currencies of the ledger, by code.',
  products: 'What is sold, by identifier.',
  offerings: 'What is shown to buyers, by identifier.',
  audiences: 'Rules that choose people, by name.',
  flags: 'Flags, by key, with a value for each environment.',
  experiments: 'Experiments, by key.',
  funnels: 'Funnels, by slug.',
  placements: 'Places of the app, by identifier, with the rows that decide what they show.',
  webhookEndpoints: 'Where events are sent, by name.',
  sdkDoor:
    'Apps on the former SDK. Each old key is a placeholder such as `${env:NAME}`; an item with the `id` of a saved key keeps that key, and without `oldKeys` all of them stay.',
  stores: 'The stores of the project. Keys stand in placeholders, and an export has none of them.',
}

function sectionHtml([name, schema]: [string, Schema]): string {
  const about = SECTIONS[name]
  return [
    `<h2 id="${name}"><a href="#${name}">${name}</a></h2>`,
    about === undefined ? '' : `<p>${marked(about)}</p>`,
    table(['Member', 'Takes', 'Must be there'], merged(rowsOf(name, schema))),
  ].join('\n')
}

type Row = [member: string, takes: string, required: string]

/** Shapes of one object can have the same member: one row states what any of them takes. */
function merged(rows: readonly Row[]): Row[] {
  const byMember = Map.groupBy(rows, ([member]) => member)
  return [...byMember].map(([member, same]) => [
    member,
    [...new Set(same.map(([, takes]) => takes))].join(' or '),
    same.every(([, , required]) => required === 'yes') ? 'yes' : NONE,
  ])
}

/** A row for each member, each followed by the rows of what is inside it. */
function rowsOf(path: string, schema: Schema): Row[] {
  const shapes = alternatives(schema)
  const inside = shapes.flatMap((shape) => insideOf(path, shape))
  return inside.length > 0 ? inside : [[named(path), shapes.map(words).join(' or '), 'yes']]
}

function insideOf(path: string, shape: Schema): Row[] {
  const { properties = {}, required = [], additionalProperties: values, items } = shape
  if (isObject(items)) return objectsIn(items).flatMap((one) => insideOf(`${path}[]`, one))
  const named =
    isObject(values) && !('$ref' in values) ? objectsIn(values).flatMap((one) => insideOf(`${path}.NAME`, one)) : []
  const members = Object.entries(properties as Record<string, Schema>).flatMap(([name, member]) =>
    memberRows(`${path}.${name}`, member, (required as string[]).includes(name)),
  )
  return [...members, ...named]
}

const memberRows = (path: string, schema: Schema, isRequired: boolean): Row[] => [
  [named(path), eachOnce(alternatives(schema).map(words)) || NONE, isRequired ? 'yes' : NONE],
  ...alternatives(schema).flatMap((shape) => insideOf(path, shape)),
]

const eachOnce = (texts: readonly string[]): string => [...new Set(texts)].join(' or ')

const objectsIn = (schema: Schema): Schema[] => alternatives(schema).filter(({ type }) => type === 'object')

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** What a schema accepts besides null and placeholders. */
function alternatives(schema: Schema): Schema[] {
  const { anyOf, type } = schema
  if (Array.isArray(anyOf) && type === undefined) return (anyOf as Schema[]).flatMap(alternatives)
  return type === 'null' || schema.$ref === '#/$defs/placeholder' ? [] : [schema]
}

function words(schema: Schema): string {
  const { type, const: only, enum: known, items, $ref: ref } = schema
  if (ref === '#/$defs/rules') return `<a href="${GUIDE}reference/rules">rules</a>`
  if (only !== undefined) return codeSpan(Bun.escapeHTML(String(only)))
  if (Array.isArray(known)) return known.map((word) => codeSpan(Bun.escapeHTML(String(word)))).join(' or ')
  if (type === 'array') return `list${most(schema.maxItems)}${itemWords(items)}`
  if (type === 'object')
    return isObject(schema.additionalProperties) ? `by name${valueWords(schema.additionalProperties)}` : 'object'
  return `${TYPES[String(type)] ?? 'anything'}${rangeWords(schema)}`
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'text', boolean: 'true or false', integer: 'integer', number: 'number' },
}

const itemWords = (items: unknown): string =>
  isObject(items)
    ? ` of ${alternatives(items)
        .map((one) => (one.type === 'object' ? 'objects' : words(one)))
        .join(' or ')}`
    : ''

function valueWords(values: Schema): string {
  const shown = alternatives(values).filter(({ type }) => type !== 'object')
  return shown.length === 0 ? '' : `: ${shown.map(words).join(' or ')}`
}

const most = (count: unknown): string => (typeof count === 'number' ? ` of at most ${count}` : '')

function rangeWords({ minimum, maximum, minLength, maxLength }: Schema): string {
  if (typeof maxLength === 'number') return ` of ${Number(minLength ?? 0)} to ${maxLength} characters`
  if (typeof minimum === 'number' && typeof maximum === 'number') return ` from ${minimum} to ${maximum}`
  return typeof minimum === 'number' ? ` from ${minimum}` : ''
}
