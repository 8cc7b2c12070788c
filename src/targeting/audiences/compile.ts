import {
  type CompiledAudience,
  type CompiledNode,
  isBuiltIn,
  type RuleNode,
  type RuleTest,
  type Subject,
} from './model'
import { compileQuestion, not } from './questions'
import { parseRules } from './rules'

/**
 * Compiles a rules document. It never throws: a document that breaks the language, because somebody edited the stored
 * one by hand, matches nobody and keeps its fault.
 */
export function compileAudience(document: unknown): CompiledAudience {
  const parsed = parseRules(document)
  if (!parsed.ok) return { matches: nobody, fault: parsed.fault, root: null }
  const root = compileNode(parsed.rules)
  return { matches: root.test, fault: null, root }
}

const nobody: RuleTest = () => false
const everyone: RuleTest = () => true

function compileNode(node: RuleNode): CompiledNode {
  if (node.kind === 'TEST') {
    const { kind, path, attribute, question } = node
    const read = readerOf(attribute)
    return { kind, path, attribute, read, test: compileQuestion(attribute, read, question) }
  }
  if (node.kind === 'NOT') {
    const { kind, path } = node
    const part = compileNode(node.part)
    return { kind, path, part, test: not(part.test) }
  }
  const { kind, path } = node
  const parts = node.parts.map(compileNode)
  const tests = parts.map(({ test }) => test)
  return { kind, path, parts, test: kind === 'ALL' ? all(tests) : kind === 'ANY' ? any(tests) : not(any(tests)) }
}

/** A built-in name never reads a custom attribute, even where the built-in has no value. */
const readerOf = (name: string): ((subject: Subject) => string | undefined) =>
  isBuiltIn(name) ? (subject) => subject.builtIn(name) : (subject) => subject.custom(name)

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
