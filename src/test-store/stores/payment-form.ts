/**
 * The fields of a request: `metadata[svc_device_key]=a&expand[0]=charge` -> { metadata: {...}, expand: { 0: 'charge' }
 * }.
 */
export interface Form {
  [name: string]: string | Form
}

/** Reads the provider's form encoding of a body or a query. */
export function readForm(text: string): Form {
  const form: Form = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const names = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part)
    put(form, names, value)
  }
  return form
}

function put(form: Form, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) form[name] = value
  else put(branchOf(form, name), rest, value)
}

function branchOf(form: Form, name: string): Form {
  const held = form[name]
  if (typeof held === 'object') return held
  const made: Form = Object.create(null)
  form[name] = made
  return made
}

/** The text at a path; null when there is none. */
export function textAt(form: Form, ...path: string[]): string | null {
  let value: string | Form | undefined = form
  for (const name of path) value = typeof value === 'object' ? value[name] : undefined
  return typeof value === 'string' ? value : null
}

/** All texts of a member that holds a map or a list. */
export function textsAt(form: Form, ...path: string[]): Record<string, string> {
  let value: string | Form | undefined = form
  for (const name of path) value = typeof value === 'object' ? value[name] : undefined
  const members = typeof value === 'object' ? Object.entries(value) : []
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'))
}

/** The answer of the stand-in before members are expanded; a refusal has the provider's type and code. */
export type Answer = { object: object } | { status: number; type: string; code: string }
