import { describe, expect, test } from 'bun:test'
import { type ConfigError, readConfig } from './config'

const read = (env: Record<string, string>, domains: string[] = []) =>
  readConfig({ SVC_DATA_DIR: '/data', ...env }, { domains })

function faultsOf(env: Record<string, string>, domains: string[] = []): readonly string[] {
  try {
    read(env, domains)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

describe('names', () => {
  test('come from the option before the variable, each once, and the first is the public address', () => {
    const config = read({ SVC_TLS: 'auto', SVC_DOMAINS: 'a.example, B.example,a.example.' })
    expect([config.tls.names, config.publicBaseUrl]).toEqual([['a.example', 'b.example'], 'https://a.example'])
    const named = read({ SVC_DOMAINS: 'a.example', SVC_HTTPS_PORT: '8443' }, ['2001:DB8::1'])
    expect([named.tls.mode, named.tls.names]).toEqual(['auto', ['2001:db8::1']])
    expect(named.publicBaseUrl).toBe('https://[2001:db8::1]:8443')
    expect(
      read({ SVC_TLS: 'auto', SVC_DOMAINS: 'a.example', PUBLIC_BASE_URL: 'https://b.example' }).publicBaseUrl,
    ).toBe('https://b.example')
  })

  test('without https of its own nothing changes', () => {
    const { tls, publicBaseUrl, host } = read({ SVC_DOMAINS: 'a.example', SVC_HOST: '0.0.0.0' })
    expect([tls.mode, tls.names, publicBaseUrl, host]).toEqual(['off', [], null, '0.0.0.0'])
  })

  test('with it, the plain port is for this machine only', () => {
    const { tls, host } = read({ SVC_TLS: 'auto', SVC_DOMAINS: 'a.example', SVC_HOST: '0.0.0.0' })
    expect([host, tls.host]).toEqual(['127.0.0.1', '0.0.0.0'])
  })
})

describe('refused', () => {
  const AUTO = { SVC_TLS: 'auto', SVC_DOMAINS: 'a.example' }
  test.each([
    [{ SVC_TLS: 'auto' }, 'SVC_DOMAINS is ""'],
    [{ SVC_TLS: 'auto', SVC_DOMAINS: '*.example.com' }, 'SVC_DOMAINS is "*.example.com"'],
    [{ SVC_TLS: 'auto', SVC_DOMAINS: 'localhost' }, 'SVC_DOMAINS is "localhost"'],
    [{ SVC_TLS: 'on' }, 'SVC_TLS is "on"; it must be off, auto, or files:'],
    [{ SVC_TLS: 'files:/cert.pem' }, 'SVC_TLS is "files:/cert.pem"'],
    [{ ...AUTO, SVC_MASTER_KEY: 'off' }, 'SVC_MASTER_KEY is set but not usable'],
    [{ ...AUTO, SVC_ACME_URL: 'http://ca.example/dir' }, 'SVC_ACME_URL is "http://ca.example/dir"'],
    [{ ...AUTO, SVC_ACME_EMAIL: 'a@b.example,c@d.example' }, 'SVC_ACME_EMAIL is'],
    [{ ...AUTO, SVC_ACME_CA: '/nowhere.pem' }, 'SVC_ACME_CA is "/nowhere.pem"'],
    [{ ...AUTO, SVC_ACME_EAB: 'kid:tooshort' }, 'SVC_ACME_EAB is set but not usable'],
    [{ ...AUTO, SVC_PORT: '443' }, 'SVC_HTTPS_PORT is "443"'],
    [{ ...AUTO, SVC_HTTP_PORT: '3000' }, 'SVC_HTTP_PORT is "3000"'],
    [{ ...AUTO, SVC_HTTP_PORT: '443' }, 'SVC_HTTPS_PORT is "443"'],
    [{ SVC_DNS: 'dns.example:53' }, 'SVC_DNS is "dns.example:53"'],
  ])('%j', (env, fault) => {
    expect(faultsOf(env as Record<string, string>)).toEqual([expect.stringContaining(fault)])
  })

  test('a secret is never repeated', () => {
    expect(faultsOf({ ...AUTO, SVC_ACME_EAB: 'kid:tooshort' }).join()).not.toContain('tooshort')
  })

  test('certificate files beside names of the option, and names beside a mode that does not exist', () => {
    const both = faultsOf({ SVC_TLS: 'files:/cert.pem,/key.pem' }, ['a.example'])
    expect(both).toEqual([expect.stringContaining('auto or left out beside --domain')])
    expect(faultsOf({ SVC_TLS: 'on' }, ['a.example'])).toEqual([expect.stringContaining('SVC_TLS is "on"')])
    expect(read({ SVC_TLS: 'off' }, ['a.example']).tls.mode).toBe('auto')
  })

  test('a name of the option, by the name of the option', () => {
    expect(faultsOf({}, ['a b'])).toEqual([expect.stringContaining('--domain is "a b"')])
  })
})
