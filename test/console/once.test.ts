import { expect, test } from 'bun:test'
import { makeOnce } from '../../src/console/lib/use-once'

const LOST = new Error('the server did not answer')
const GRANT = { accessIds: ['pro'] }
const OTHER = { accessIds: ['team'] }

/** An open form whose calls succeed until the network is away. */
function openForm() {
  const once = makeOnce()
  const sent: string[] = []
  const press = (order: unknown, isAway = false) =>
    once(order, async ({ 'Idempotency-Key': key }) => {
      sent.push(key)
      if (isAway) throw LOST
      return key
    })
  const pressInVain = (order: unknown) => expect(press(order, true)).rejects.toBe(LOST)
  return { sent, press, pressInVain }
}

test('an order is repeated with the same key after a network failure', async () => {
  const { sent, press, pressInVain } = openForm()
  await pressInVain(GRANT)
  await pressInVain({ ...GRANT })
  expect(await press(GRANT)).toBe(sent[0] ?? '')
  expect(sent).toEqual(Array(3).fill(sent[0]))
})

test('a changed form has another key, and its first one again when it is changed back', async () => {
  const { sent, press, pressInVain } = openForm()
  await pressInVain(GRANT)
  await pressInVain(OTHER)
  await press(GRANT)
  expect(sent[1]).not.toBe(sent[0])
  expect(sent[2]).toBe(sent[0])
})

test('an order that is repeated while its first call runs has the same key', async () => {
  const { sent, press } = openForm()
  await Promise.all([press(GRANT), press(GRANT)])
  expect(new Set(sent).size).toBe(1)
})

test('the same order after its success is a new one with a new key', async () => {
  const { sent, press } = openForm()
  await press(GRANT)
  await press(GRANT)
  expect(new Set(sent).size).toBe(2)
})

test('the success of one order leaves the key of another that failed', async () => {
  const { sent, press, pressInVain } = openForm()
  await pressInVain(GRANT)
  await press(OTHER)
  await press(GRANT)
  expect(sent[2]).toBe(sent[0])
})

test('two open forms never share a key', async () => {
  const [one, another] = [openForm(), openForm()]
  await one.press(GRANT)
  await another.press(GRANT)
  expect(one.sent).not.toEqual(another.sent)
})
