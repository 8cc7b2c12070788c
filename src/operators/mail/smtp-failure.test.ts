import { expect, test } from 'bun:test'
import { judgeFailure, type SmtpFailure, type SmtpVerdict } from './smtp-failure'

const cases: [name: string, failure: SmtpFailure, verdict: SmtpVerdict][] = [
  ['no such mailbox', { command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 no such user' }, 'unknown_address'],
  ['no such domain', { command: 'RCPT TO', responseCode: 550, response: '550-5.1.2 no such host' }, 'unknown_address'],
  ['takes no mail', { command: 'RCPT TO', responseCode: 556, response: '556 5.1.10 null MX' }, 'unknown_address'],
  ['another code that begins alike', { command: 'RCPT TO', responseCode: 550, response: '550 5.1.12 x' }, 'refused'],
  ['a rule', { command: 'RCPT TO', responseCode: 550, response: '550 5.7.1 relay denied' }, 'refused'],
  ['a bare 550', { command: 'RCPT TO', responseCode: 550, response: '550 no' }, 'refused'],
  ['a text that names the code', { command: 'RCPT TO', responseCode: 550, response: '550 not 5.1.1' }, 'refused'],
  ['a refused text', { command: 'DATA', responseCode: 554, response: '554 5.1.1 spam' }, 'refused'],
  ['an address that is none', { command: 'API', message: 'Invalid recipient "x"' }, 'refused'],
  ['greylisting', { command: 'RCPT TO', responseCode: 451, response: '451 4.7.1 later' }, 'later'],
  ['a full disk', { command: 'DATA', responseCode: 452, response: '452 4.3.1 full' }, 'later'],
  ['the server ends', { command: 'RCPT TO', responseCode: 421, response: '421 4.3.2 bye' }, 'down'],
  ['a refused sender', { command: 'MAIL FROM', responseCode: 550, response: '550 5.1.1 who' }, 'down'],
  ['a wrong password', { command: 'AUTH PLAIN', responseCode: 535 }, 'down'],
  ['a sender that is none', { command: 'API', message: 'Invalid sender "x"' }, 'down'],
  ['no connection', { command: 'CONN' }, 'down'],
  ['an answer that broke off', { command: 'DATA' }, 'down'],
  ['anything else', {}, 'down'],
]
for (const [name, failure, verdict] of cases)
  test(`${name}: ${verdict}`, () => expect(judgeFailure(failure)).toBe(verdict))
