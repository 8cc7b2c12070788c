import { describe, expect, test } from 'bun:test'
import { texts as deDefinitions } from '../../src/console/text/de/chart-definitions'
import { texts as de } from '../../src/console/text/de/charts'
import { texts as enDefinitions } from '../../src/console/text/en/chart-definitions'
import { texts as jaDefinitions } from '../../src/console/text/ja/chart-definitions'
import { texts as ja } from '../../src/console/text/ja/charts'
import { texts as trDefinitions } from '../../src/console/text/tr/chart-definitions'
import { texts as tr } from '../../src/console/text/tr/charts'
import { CHART_IDS } from '../../src/core/chart/ids'
import { CHARTS } from '../../src/insight/charts/charts'

// The words of charts in the languages of the console. The compiler asks for each; here is that they say the same.

const WORDS = {
  de: { titles: de.titles, definitions: deDefinitions.of },
  tr: { titles: tr.titles, definitions: trDefinitions.of },
  ja: { titles: ja.titles, definitions: jaDefinitions.of },
}

/** Numbers as they are in every language: 20,000, 20.000 and 20,000; names of parameters and groups. */
const marksOf = (text: string): string[] =>
  [...text.replaceAll(/(\d)[.,](\d{3})/g, '$1$2').matchAll(/\d+|utm_source|funnel\/page|key\/variant/g)]
    .map(([mark]) => mark)
    .toSorted()

/** In words, or said by the title of a value. */
const isLeftOut = (mark: string): boolean => ['0', '90', '1', '2', '9', '10'].includes(mark)

test('the list of ids is that of the charts, in their order', () => {
  expect(CHARTS.map(({ id }) => id)).toEqual([...CHART_IDS])
  expect(enDefinitions.of).toBeNull()
})

describe.each(Object.entries(WORDS))('in %s', (_language, { titles, definitions }) => {
  test('every chart has a title and a definition of its own', () => {
    for (const words of [titles, definitions]) {
      expect(Object.keys(words ?? {}).toSorted()).toEqual([...CHART_IDS].toSorted())
      const all = Object.values(words ?? {})
      expect([new Set(all).size, all.filter((text) => text.trim() === '')]).toEqual([all.length, []])
    }
  })

  test('no definition is English, and each has the numbers and names of the English one', () => {
    for (const { id, definition } of CHARTS) {
      const own = definitions?.[id] ?? ''
      expect([id, own === definition]).toEqual([id, false])
      const wanted = marksOf(definition).filter((mark) => !isLeftOut(mark))
      expect([id, wanted.filter((mark) => !marksOf(own).includes(mark))]).toEqual([id, []])
    }
  })
})
