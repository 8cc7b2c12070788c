import { describe, expect, test } from 'bun:test'
import { sha256Hex } from '../../base/lib/hash'
import { toPerson } from './person'
import { hashSignals } from './signals'

const DEVICES = {
  $idfa: 'idfa_1',
  $idfv: 'idfv_1',
  $gpsAdId: 'gps_1',
  $appsflyerId: 'af_1',
  $adjustId: 'adj_1',
  $firebaseAppInstanceId: 'fb_1',
  $amplitudeDeviceId: 'amp_1',
}

const NETWORK = { ip: null, userAgent: null }

const personWith = (attributes: Record<string, string>, appUserId: string | null = 'user_1') =>
  toPerson({
    subscriber: {
      id: 'sub_1',
      appUserId,
      toldAccess: {},
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, value]) => [key, { value, source: 'sdk', updatedAt: 0 }]),
      ),
    },
    signals: null,
    network: NETWORK,
  })

describe('device ids', () => {
  test('are there with consent', () => {
    const { devices, hasConsent, hasHiddenDevices } = personWith({ ...DEVICES, $attConsentStatus: 'authorized' })
    expect(Object.values(devices)).toEqual(Object.values(DEVICES))
    expect([hasConsent, hasHiddenDevices]).toEqual([true, false])
  })

  for (const status of ['denied', 'restricted', 'not_determined', 'Authorized', 'authorized ', ''])
    test(`are kept back when the consent is "${status}"`, () => {
      const person = personWith({ ...DEVICES, $attConsentStatus: status })
      expect(new Set(Object.values(person.devices))).toEqual(new Set([null]))
      expect([person.hasConsent, person.hasHiddenDevices]).toEqual([false, true])
      for (const id of Object.values(DEVICES)) expect(JSON.stringify(person)).not.toContain(id)
    })

  test('are kept back when nobody asked for consent', () => {
    expect(personWith(DEVICES).hasHiddenDevices).toBe(true)
    expect(personWith({}).hasHiddenDevices).toBe(false)
  })
})

test('push tokens and other reserved attributes are never shown', () => {
  const { attributes } = personWith({ $apnsTokens: 't', $campaign: 'c', $email: 'a@b.co', plan: 'gold' })
  expect(attributes).toEqual({ $email: 'a@b.co', plan: 'gold' })
})

test('signals come from the attributes; the label is the external id, else the subscriber', () => {
  const known = personWith({ $email: 'A@b.co', $phoneNumber: '+1 555' })
  expect(known.signals).toMatchObject({
    email: sha256Hex('a@b.co'),
    phone: sha256Hex('1555'),
    externalId: sha256Hex('user_1'),
  })
  expect(personWith({}, null).signals.externalId).toBe(sha256Hex('sub_1'))
})

test('signals of a track event come before those of the subscriber', () => {
  const subscriber = {
    ...{ id: 'sub_1', appUserId: 'user_1', toldAccess: {} },
    attributes: { $email: { value: 'old@b.co', source: 'sdk', updatedAt: 0 } },
  }
  const signals = hashSignals({ email: 'new@b.co' })
  const person = toPerson({ subscriber, signals, network: NETWORK })
  expect([person.signals.email, person.signals.externalId]).toEqual([sha256Hex('new@b.co'), sha256Hex('user_1')])
})

test('nobody has no signals', () => {
  const person = toPerson({ subscriber: null, signals: null, network: NETWORK })
  expect(new Set(Object.values(person.signals))).toEqual(new Set([null]))
})
