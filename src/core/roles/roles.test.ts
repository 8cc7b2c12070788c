import { describe, expect, test } from 'bun:test'
import { hasOwnRight, rightToChange } from './file-rights'
import { CAPABILITY_NAMES, type Capability, hasCapability, hasRole, isCapability, ROLES, roleFor } from './roles'

const lowest: [capability: Capability, role: string][] = [
  ['project:read', 'CUSTOMER_SUPPORT'],
  ['project:delete', 'OWNER'],
  ['members:manage', 'ADMIN'],
  ['products:write', 'DEVELOPER'],
  ['flags:write', 'GROWTH'],
  ['subscribers:write', 'CUSTOMER_SUPPORT / DEVELOPER'],
]

describe('the role that a capability needs', () => {
  for (const [capability, role] of lowest) test(`${capability}: ${role}`, () => expect(roleFor(capability)).toBe(role))

  test('has the capability, whichever it is', () => {
    for (const name of CAPABILITY_NAMES.filter(isCapability)) {
      const named = roleFor(name).split(' / ')
      expect(ROLES.filter((role) => named.includes(role) && hasCapability(role, name))).toHaveLength(named.length)
    }
  })
})

test('a name that every object has is no capability', () => {
  expect(['constructor', 'toString', '__proto__', ''].filter(isCapability)).toEqual([])
  expect(CAPABILITY_NAMES.every(isCapability)).toBe(true)
})

test('a grant for support reads as the lowest role and changes nothing', () => {
  expect(ROLES.filter((role) => hasRole('SUPPORT_READ', role))).toEqual(['CUSTOMER_SUPPORT'])
  expect(CAPABILITY_NAMES.filter((name) => isCapability(name) && hasCapability('SUPPORT_READ', name))).toEqual([
    'project:read',
  ])
})

describe('to change with the project file', () => {
  test('an object of each kind with routes of its own takes the capability of those routes', () => {
    expect(rightToChange('flag')).toEqual({ capability: 'flags:write' })
    expect(rightToChange('virtualCurrency')).toEqual({ capability: 'virtual-currency:manage' })
    expect(rightToChange('store')).toEqual({ role: 'OWNER' })
  })

  test('anything else takes an owner', () => {
    for (const kind of ['refundShield', 'constructor', ''])
      expect([hasOwnRight(kind), rightToChange(kind)]).toEqual([false, { role: 'OWNER' }])
  })
})
