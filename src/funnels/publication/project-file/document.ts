import type { FunnelPage, GivenSettings } from '../../../core/funnel/model'
import { readPages } from '../../../core/funnel/pages'
import { Reading } from '../../../core/funnel/reading'
import { readSettings } from '../../../core/funnel/settings'
import { readTheme } from '../../../core/funnel/theme'
import type { Fault } from '../../../core/text/fault'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings'
import { reference } from '../../../projects/project-file/fields'
import { sentenceOf, stepsOf } from '../../../projects/project-file/problem'
import { type Read, type Schema, text, toJson } from '../../../projects/project-file/reader'
import { locate, readTree } from '../../../projects/project-file/tree'
import { PAGES_SCHEMA, SETTINGS_SCHEMA, THEME_SCHEMA } from './pages-schema'

/** Reads a part of the document as the dashboard API does, with each fault at its place in the file. */
const part =
  <Value>(schema: Schema, read: (given: unknown) => { value: Value; faults: Fault[] }): Read<Value> =>
  (spot) => {
    if (spot.draws(() => schema)) return undefined
    const { value, faults } = read(toJson(spot.node))
    for (const fault of faults) spot.failAt(stepsOf(fault.path).slice(1), sentenceOf(fault))
    return value
  }

export const inlinePages = part(PAGES_SCHEMA, (given) => {
  const { pages, faults } = readPages(given)
  return { value: pages, faults }
})

const partOf =
  <Value>(name: string, read: (reading: Reading, given: unknown, path: string) => Value) =>
  (given: unknown) => {
    const reading = new Reading()
    return { value: read(reading, given, name), faults: reading.faults }
  }

export const theme = part(THEME_SCHEMA, partOf('theme', readTheme))
const readPart = part(SETTINGS_SCHEMA, partOf('settings', readSettings))

/** The offering must be one of the file or of the project. */
export const settings: Read<GivenSettings> = (spot) => {
  const value = readPart(spot)
  const offering = spot.node.kind === 'map' ? spot.node.members.get('offering') : undefined
  if (offering && value?.offering !== undefined && value.offering !== '')
    reference(OFFERINGS)(spot.at('offering', offering.node))
  return value
}

/** Reads pages from a separate JSON file. Its lines are not lines of the project file. */
export const pagesOfFile: Read<FunnelPage[]> = (spot) => {
  const path = text(1024)(spot)
  if (path === undefined) return undefined
  const content = spot.sources.file(path)
  if (content === null) return spot.fail(`${path} cannot be read`)
  const tree = readTree(content, undefined, spot.sources.tree?.(path))
  if ('problems' in tree) {
    for (const { line, column, message } of tree.problems) spot.fail(`${path}:${line}:${column} ${message}`)
    return undefined
  }
  const { pages, faults } = readPages(toJson(tree.root))
  for (const fault of faults) {
    const { line, column } = locate(tree.root, stepsOf(fault.path).slice(1))
    spot.fail(`${path}:${line}:${column} ${fault.message}`)
  }
  return pages
}
