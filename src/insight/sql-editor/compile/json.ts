import { Rejection } from '../rejection'
import { type Expr, madeOf } from './expr'
import type { Level } from './level'

const MAX_STEPS = 10

/** `json -> 'key'` and `json ->> 'key'`, also with a position in a list. */
export function jsonStep(
  { compiler: { dialect, binds } }: Level,
  name: '->' | '->>',
  value: Expr,
  { constant }: Expr,
  location: number | undefined,
): Expr {
  if (!value.json)
    throw new Rejection('syntax', `The operator ${name} takes a JSON column, not ${value.type}`, location)
  const { column } = value.json
  const steps = [...value.json.path, stepOf(constant?.value, location)]
  if (steps.length > MAX_STEPS) throw new Rejection('syntax', `JSON is read ${MAX_STEPS} steps deep at most`, location)
  const path = { steps, bind: (text: string) => binds.add(text) }
  if (name === '->>') return madeOf([value], { sql: dialect.jsonText(column, path), type: 'text', texts: value.texts })
  const sql = dialect.json(column, path)
  return madeOf([value], { sql, type: 'json', texts: value.texts, json: { column, path: steps } })
}

function stepOf(step: unknown, location: number | undefined): string | number {
  if (typeof step === 'bigint' && step >= 0n && step < 10_000n) return Number(step)
  if (typeof step === 'string' && step !== '' && step.length <= 255 && !/["\\]/.test(step)) return step
  throw new Rejection('syntax', 'A step into JSON is a key without quotes and backslashes, or a position', location)
}
