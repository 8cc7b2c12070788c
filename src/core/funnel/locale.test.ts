import { expect, test } from 'bun:test'
import { chooseLocale, isLocale } from './locale'

const cases: [fact: string, locales: string[], wanted: string | null, chosen: string][] = [
  ['none asked for is the default', ['en', 'tr'], null, 'en'],
  ['the very one', ['en', 'tr', 'tr-CY'], 'tr-CY', 'tr-CY'],
  ['case does not count', ['en', 'pt-BR'], 'PT-br', 'pt-BR'],
  ['the language stands for its regions', ['en', 'tr'], 'tr-TR', 'tr'],
  ['the script before the language', ['en', 'zh', 'zh-Hans', 'zh-Hant'], 'zh-Hant-TW', 'zh-Hant'],
  ['the same without the language alone', ['en', 'zh-Hans', 'zh-Hant'], 'zh-hant-tw', 'zh-Hant'],
  ['the language before another region of it', ['en', 'pt-BR', 'pt'], 'pt-PT', 'pt'],
  ['another region before another language', ['en', 'pt-BR'], 'pt-PT', 'pt-BR'],
  ['a language that is not there is the default', ['en', 'tr'], 'de-TR', 'en'],
  ['the default need not be listed', ['tr'], 'de', 'en'],
]
for (const [fact, locales, wanted, chosen] of cases)
  test(fact, () => expect(chooseLocale({ locales, defaultLocale: 'en' }, wanted)).toBe(chosen))

test('what is no locale', () => {
  for (const text of ['en', 'tr-TR', 'zh-Hant-TW', 'sl-rozaj-biske-1994']) expect(isLocale(text)).toBe(true)
  for (const text of ['', 'e', 'en_US', 'en-', '-en', 'en US', 'a-b', `en${'-abcdefgh'.repeat(4)}`, 'en-ü', '*'])
    expect(isLocale(text)).toBe(false)
})
