import { parseExact } from '../../../base/lib/int64'
import { isObject, type Json } from '../../../base/lib/json-schema'
import type { Marks } from '../masking/marks'
import { masked, maskedCells } from '../masking/mask'
import { readsPersonalColumns } from '../masking/sql'
import { orderOf } from './arguments'
import type { ToolCaller } from './caller'
import type { Tool } from './tool'

/** What a tool answers. */
export interface ToolAnswer {
  isError: boolean
  /** JSON. */
  text: string
  /** How many rows were read; null for what is no list. */
  rows: number | null
}

/** Who calls a tool, in which project, and what replaces personal data; null = it is shown as it is. */
export interface ToolUse {
  caller: ToolCaller
  projectId: string
  marks: Marks | null
}

/** Longer answers are cut: a model can ask for fewer rows. */
const MOST_CHARACTERS = 60_000

/** Calls a reading tool. A refusal of the route is an answer too, so that the caller can correct the arguments. */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  { caller, projectId, marks }: ToolUse,
): Promise<ToolAnswer> {
  const order = orderOf(tool, projectId, given)
  if ('fault' in order) return faultAnswer('VALIDATION_ERROR', order.fault)
  const response = await caller.send(tool.method, order.path, order.body)
  const answer = readJson(await response.text())
  if (answer === null) return faultAnswer('HTTP_ERROR', 'The answer is no JSON')
  const shown = marks === null ? answer : maskedAnswer(tool, given, answer, marks)
  return { isError: !response.ok, text: shortened(JSON.stringify(shown)), rows: rowsOf(answer) }
}

export const faultAnswer = (code: string, message: string): ToolAnswer => ({
  isError: true,
  text: JSON.stringify({ error: { code, message } }),
  rows: null,
})

function maskedAnswer(
  { operationId }: Tool,
  given: Readonly<Record<string, unknown>>,
  answer: Json,
  marks: Marks,
): unknown {
  const isStrict = operationId === 'executeQuery' && readsPersonalColumns(String(given.sql))
  return isStrict ? maskedCells(answer, marks) : masked(answer, marks)
}

function readJson(text: string): Json | null {
  try {
    const value = parseExact(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The items of a list, or the rows of a query. */
function rowsOf({ data }: Json): number | null {
  if (typeof data !== 'object' || data === null) return null
  const { items, rows } = data as Json
  const list = Array.isArray(items) ? items : rows
  return Array.isArray(list) ? list.length : null
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const note = `The answer has ${text.length} characters and was cut; ask for fewer rows or one object`
  return JSON.stringify({ cut: note, beginning: text.slice(0, MOST_CHARACTERS) })
}
