import {
  type CompiledAudience,
  type CompiledNode,
  flagKeyOf,
  isBuiltIn,
  type RuleNode,
  type RuleReads,
  type RuleTest,
  type Subject,
} from './model'
import { compileQuestion, not } from './questions'
import { parseRules } from './rules'
import { elementsOf } from './values'
import { readsOf } from './walk'

/**
 * Compiles a rules document. It never throws: a document that breaks the language, because somebody edited the stored
 * one by hand, matches nobody and keeps its fault.
 */
export function compileAudience(document: unknown): CompiledAudience {
  const parsed = parseRules(document)
  if (!parsed.ok) return { matches: nobody, fault: parsed.fault, root: null, reads: NOTHING }
  const root = compileNode(parsed.rules)
  return { matches: root.test, fault: null, root, reads: readsOf(parsed.rules) }
}

const NOTHING: RuleReads = { builtIns: [], flags: [] }

const nobody: RuleTest = () => false
const everyone: RuleTest = () => true

/** Where the condition of `$elemMatch` reads from: the item that is looked at. */
interface ItemSource {
  read: () => string | undefined
}

function compileNode(node: RuleNode, source: ItemSource | null = null): CompiledNode {
  if (node.kind === 'TEST') {
    const { kind, path, attribute, question } = node
    const read = source?.read ?? readerOf(attribute)
    const isItem = source !== null
    const test =
      question.operator === '$elemMatch'
        ? hasElement(read, question.operand)
        : compileQuestion({ attribute: isItem ? '' : attribute, read, isItem }, question)
    return { kind, path, attribute, read, test }
  }
  if (node.kind === 'NOT') {
    const { kind, path } = node
    const part = compileNode(node.part, source)
    return { kind, path, part, test: not(part.test) }
  }
  const { kind, path } = node
  const parts = node.parts.map((part) => compileNode(part, source))
  const tests = parts.map(({ test }) => test)
  return { kind, path, parts, test: kind === 'ALL' ? all(tests) : kind === 'ANY' ? any(tests) : not(any(tests)) }
}

/** Whether the condition holds for an item of a list. Items that are no scalars are passed over; null is missing. */
function hasElement(readList: (subject: Subject) => string | undefined, condition: RuleNode): RuleTest {
  let item: string | undefined
  const { test } = compileNode(condition, { read: () => item })
  return (subject) => {
    const text = readList(subject)
    const elements = text === undefined ? null : elementsOf(text)
    if (elements === null) return false
    for (const element of elements) {
      if (element !== null && typeof element === 'object') continue
      item = element === null ? undefined : String(element)
      if (test(subject)) return true
    }
    return false
  }
}

/** A built-in name never reads a custom attribute, even where the built-in has no value. */
export function readerOf(name: string): (subject: Subject) => string | undefined {
  if (isBuiltIn(name)) return (subject) => subject.builtIn(name)
  const key = flagKeyOf(name)
  return key === null ? (subject) => subject.custom(name) : (subject) => subject.flag(key)
}

function all(tests: readonly RuleTest[]): RuleTest {
  const [first, second] = tests
  if (!first) return everyone
  if (!second) return first
  if (tests.length === 2) return (subject) => first(subject) && second(subject)
  return (subject) => {
    for (const test of tests) if (!test(subject)) return false
    return true
  }
}

function any(tests: readonly RuleTest[]): RuleTest {
  const [first, second] = tests
  if (!first) return nobody
  if (!second) return first
  return (subject) => {
    for (const test of tests) if (test(subject)) return true
    return false
  }
}
