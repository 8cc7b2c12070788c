import { expect, test } from 'bun:test'
import { smtpOptions } from './smtp-options'

test('a password is sent over TLS only, except to this machine', () => {
  const requires = (url: string) => smtpOptions(url, 1).requireTLS
  expect(requires('smtp://a:b@mail.example.com')).toBe(true)
  expect(requires('smtp://a:b@127.0.0.1.example.com')).toBe(true)
  for (const host of ['localhost', '127.0.0.1', '[::1]']) expect(requires(`smtp://a:b@${host}:25`)).toBe(false)
  expect(requires('smtp://mail.example.com')).toBe(false)
  expect(smtpOptions('smtp://a%40b:c%3Ad@mail.example.com', 1)).toMatchObject({
    host: 'mail.example.com',
    port: 587,
    secure: false,
    auth: { user: 'a@b', pass: 'c:d' },
  })
  expect(smtpOptions('smtps://mail.example.com', 1)).toMatchObject({ port: 465, secure: true })
})
