import { describe, expect, test } from 'bun:test'
import { toFiles } from '../../src/console/screens/growth/funnels/files'

// The files of a project as the editor of funnels draws and judges them.

const ASSET = {
  ...{ id: 'ast_1', name: 'hills.png', kind: 'image' as const, contentType: 'image/webp', bytes: 10, storedBytes: 12 },
  ...{ width: 800, height: 400, widths: [320], alt: {}, uploadedBy: null, references: [], revision: 1 },
  source: { format: 'png', bytes: 20, hadMetadata: false },
  url: 'https://links.example/assets/prj_1/ast_1/abc',
  ...{ createdAt: '2026-11-20T08:00:00.000Z', updatedAt: '2026-11-20T08:00:00.000Z' },
}
const FACE = {
  ...{ id: 'ffc_1', weight: 400, style: 'normal' as const, contentHash: 'abc', bytes: 10, format: 'woff2' as const },
  ...{ woff2Bytes: 10, latinBytes: 5, url: 'https://links.example/assets/prj_1/fonts/ffc_1/abc.woff2' },
  createdAt: '2026-11-20T08:00:00.000Z',
}
const FAMILY = { id: 'ffm_1', name: 'Sans', faces: [FACE], references: [], createdAt: FACE.createdAt }

describe('the editor', () => {
  const files = toFiles([ASSET], [FAMILY], true)

  test('loads files from its own host, because its policy allows no other, whatever host their links have', () => {
    expect(files.assets.get('ast_1')?.url).toBe('/assets/prj_1/ast_1/abc')
    expect(files.fonts.get('ffm_1')?.faces[0]?.url).toBe('/assets/prj_1/fonts/ffc_1/abc.woff2')
  })

  test('judges files only when it knows all of them', () => {
    expect(files.known?.assets.get('ast_1')).toEqual({ kind: 'image', hasAlt: false })
    expect(files.known?.fonts).toEqual(new Set(['ffm_1']))
    expect(toFiles([ASSET], [FAMILY], false).known).toBeNull()
  })
})
