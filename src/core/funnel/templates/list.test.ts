import { expect, test } from 'bun:test'
import { NO_FILES } from '../files'
import { readPages } from '../pages'
import { publishFaults } from '../publish'
import { publishWarnings } from '../warnings'
import { sells, TEMPLATE_IDS, TEMPLATES, templateContent } from './list'

for (const { id, pages } of TEMPLATES) {
  test(`the template ${id} is a document that can be published, and nothing warns about it`, () => {
    const read = readPages(JSON.parse(JSON.stringify(pages)))
    expect(read.faults).toEqual([])
    expect(read.pages).toEqual(JSON.parse(JSON.stringify(pages)))
    const content = { pages, theme: {}, settings: {}, defaultLocale: 'en', locales: ['en', 'de', 'tr', 'ja'] }
    expect(publishFaults(content, true, NO_FILES)).toEqual([])
    expect(publishWarnings(content, true, NO_FILES)).toEqual([])
    expect(publishFaults(content, false, NO_FILES).map(({ code }) => code)).toEqual(
      sells(pages) ? ['PAYMENT_NOT_CONNECTED'] : [],
    )
  })
}

test('the eight templates that are promised, and no other', () => {
  expect(TEMPLATES.map(({ id }) => id)).toEqual([...TEMPLATE_IDS])
  expect(TEMPLATES).toHaveLength(8)
  expect(templateContent('__proto__')).toBeNull()
  expect(templateContent('')).toBeNull()
})
