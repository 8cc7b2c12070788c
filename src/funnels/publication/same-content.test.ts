import { expect, test } from 'bun:test'
import type { FunnelContent } from '../../core/funnel/model'
import { isSameContent } from './same-content'

const content: FunnelContent = { pages: [], theme: {}, settings: {}, defaultLocale: 'en', locales: ['en'] }

test('the order of members makes no other content', () => {
  const theme = { accent: '#000000', radius: 2 }
  expect(isSameContent({ ...content, theme }, { ...content, theme: { radius: 2, accent: '#000000' } })).toBe(true)
})

test('another locale makes another content', () =>
  expect(isSameContent(content, { ...content, locales: ['en', 'tr'] })).toBe(false))
