import { expect, test } from 'bun:test'
import { clientTypes } from './client-types'

const body = (file: Parameters<typeof clientTypes>[1]): string[] =>
  clientTypes('shop', file)
    .split('\n')
    .slice(5, -3)
    .map((line) => line.slice(4))

test('an empty project allows no name', () => {
  expect(body({})).toEqual([
    'access: never',
    'offerings: never',
    'placements: never',
    'currencies: never',
    'flags: Record<never, never>',
    'experiments: Record<never, never>',
  ])
})

test('names are in the order of the alphabet, so that the same project gives the same file', () => {
  const file = { access: { pro: {}, coach: {} }, offerings: { "it's": {} }, virtualCurrencies: { gems: {} } }
  expect(body(file).slice(0, 4)).toEqual([
    "access: 'coach' | 'pro'",
    "offerings: 'it\\'s'",
    'placements: never',
    "currencies: 'gems'",
  ])
})

test('flags have the types of their values, JSON those of all environments and rules', () => {
  const environments = {
    PROD: { default: { layout: 'list' }, rules: [{ value: { layout: 'cards', columns: 2 } }] },
    STAGING: { default: [1, 'a'] },
  }
  const flags = { on: { type: 'BOOLEAN' }, 'a.b': { type: 'STRING' }, paywall: { type: 'JSON', environments } }
  expect(body({ flags }).slice(4, 9)).toEqual([
    'flags: {',
    "  'a.b': string",
    "  'on': boolean",
    "  'paywall': (number | string)[] | { 'columns': number; 'layout': string } | { 'layout': string }",
    '}',
  ])
})

test('experiments have the ids of their variants', () => {
  const experiments = { test: { variants: [{ id: 'b' }, { id: 'a' }] } }
  expect(body({ experiments }).slice(5)).toEqual(['experiments: {', "  'test': 'a' | 'b'", '}'])
})
