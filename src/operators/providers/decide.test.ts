import { expect, test } from 'bun:test'
import { decide, type Known } from './decide'
import type { Identity } from './model'

const identity = (members: Partial<Identity> = {}): Identity => ({
  provider: 'google',
  subject: '1',
  email: 'ada@example.com',
  name: 'Ada',
  isEmailVerified: true,
  isAuthoritative: true,
  ...members,
})
const known = (members: Partial<Known> = {}): Known => ({
  linkedUserId: null,
  holder: null,
  maySignUp: true,
  ...members,
})
const holder = (isVerified: boolean, isGuest = false) => ({ userId: 'usr_ada', isVerified, isGuest })
const refuse = (failure: string) => ({ do: 'REFUSE', failure })

const cases: [name: string, identity: Partial<Identity>, known: Partial<Known>, decision: object][] = [
  ['a linked identity signs in', {}, { linkedUserId: 'usr_ada' }, { do: 'SIGN_IN', userId: 'usr_ada' }],
  [
    'a linked identity signs in, whatever became of its address',
    { isEmailVerified: false, isAuthoritative: false },
    { linkedUserId: 'usr_ada', holder: { userId: 'usr_bo', isVerified: true, isGuest: false }, maySignUp: false },
    { do: 'SIGN_IN', userId: 'usr_ada' },
  ],
  ['both verified and authoritative: linked', {}, { holder: holder(true) }, { do: 'LINK', userId: 'usr_ada' }],
  ['a guest who proved nothing gives way', {}, { holder: holder(false, true) }, { do: 'TAKE_OVER', userId: 'usr_ada' }],
  [
    'a guest stays where the provider is not authoritative',
    { isAuthoritative: false },
    { holder: holder(false, true) },
    refuse('account_exists'),
  ],
  [
    'a guest stays where the provider has not verified the address',
    { isEmailVerified: false },
    { holder: holder(false, true) },
    refuse('unverified'),
  ],
  ['an address that was only registered here is not linked', {}, { holder: holder(false) }, refuse('account_exists')],
  [
    'a provider that does not hand out the address is not believed',
    { isAuthoritative: false },
    { holder: holder(true) },
    refuse('account_exists'),
  ],
  [
    'an unverified address is refused first',
    { isEmailVerified: false },
    { holder: holder(true) },
    refuse('unverified'),
  ],
  ['an unverified address makes no account', { isEmailVerified: false }, {}, refuse('unverified')],
  ['a new person signs up where that is open', { isAuthoritative: false }, {}, { do: 'SIGN_UP' }],
  ['a new person is refused where it is not', {}, { maySignUp: false }, refuse('denied')],
]
for (const [name, of, what, decision] of cases)
  test(name, () => expect<object>(decide(identity(of), known(what))).toEqual(decision))
