/** The first fault of a form or a query: an unknown field, one that is there twice, a wrong value, or a missing one. */
export function formFault(
  form: URLSearchParams,
  rules: Readonly<Record<string, RegExp>>,
  required: readonly string[],
): string | null {
  const missing = required.find((name) => !form.has(name))
  if (missing !== undefined) return `missing argument: ${missing}`
  for (const [name, value] of form) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) return `unknown argument: ${name}`
    if (form.getAll(name).length > 1) return `argument twice: ${name}`
    if (!rule.test(value)) return `invalid ${name}: ${value}`
  }
  return null
}
