import { expect, test } from 'bun:test'
import { ThreadMarks } from './thread-marks'

test('a new mark is none that another text has, also after the mark before it was erased', () => {
  const left = { kind: 'email', text: 'dan@example.org', subscriberId: null } as const
  const marks = new ThreadMarks({ person_2: left })
  expect(marks.markOf('email', 'eve@example.org')).toBe('person_3')
  expect(marks.toStored().person_2).toEqual(left)
})
