import type { texts } from '../../../text/en/funnel-faults'

type Words = typeof texts
type Say = (words: Words, first: string, second: string, third: string) => string

/** The server's message for each fault, without its place, and the text for it in the language of the console. */
const SENTENCES: readonly (readonly [message: RegExp, say: Say])[] = [
  [/^must name a file of the project; (.+) is none$/, (words, id) => words.fileMissing(id)],
  [/^must name a font family of the project; (.+) is none$/, (words, id) => words.fontMissing(id)],
  [
    /^must name (a picture|a video|a Lottie animation); (.+) is (.+)$/,
    (words, wanted, id, found) => words.wrongKind(words.kinds[wanted] ?? wanted, id, words.kinds[found] ?? found),
  ],
  [/^is payment, and no payment account is connected to this project$/, (words) => words.notConnected],
  [/^must have a page to be published$/, (words) => words.noPages],
  [/^must not make the document larger than 512 KiB, and it has (\d+)$/, (words, size) => words.tooLarge(size)],
  [/^must name a page; there is no page (.+)$/, (words, id) => words.noSuchPage(id)],
  [/^must not lead back to (.+): no page on that way asks anything$/, (words, id) => words.endless(id)],
  [/^must have the default, (.+)$/, (words, locale) => words.noDefault(locale)],
  [/^must have a text in the default, (.+)$/, (words, locale) => words.noDefaultText(locale)],
  [/^(.+): no page leads to it$/, (words, id) => words.unreached(id)],
  [
    /^has a contrast of ([\d.]+) on (\w+); text needs [\d.]+$/,
    (words, contrast, below) => words.lowContrast(contrast, words.colours[below] ?? below),
  ],
  [/^has no alternative text for those who do not see it$/, (words) => words.noAlternative],
  [/^asks to agree to terms that no page shows; set termsUrl of the project$/, (words) => words.noTerms],
  [/^shows prices without a legal line beside them; add a block of type legal$/, (words) => words.noLegalLine],
  [/^must be a page that (.+) leads to; (.+) is none$/, (words, page, id) => words.notLedTo(page, id)],
  [/^must not be html on a payment page: it could imitate the card form$/, (words) => words.noHtml],
  [/^must name a field of the page; (.+) is none$/, (words, id) => words.noFieldOfPage(id)],
  [/^must name a field; (.+) is none$/, (words, id) => words.noField(id)],
  [/^inserts (.+), which is neither \{\{answer\.field\}\}, .+$/s, (words, written) => words.unknownValue(written)],
  [/^inserts the answer (.+), and no field has that id$/, (words, id) => words.noAnswer(id)],
  [/^inserts the parameter (.+); name it in settings\.queryParameters$/, (words, name) => words.noParameter(name)],
  [/^must be an object with (.+)$/, (words, members) => words.object(members)],
  [/^is not known here; there are (.+)$/, (words, members) => words.unknownMember(members)],
  [/^must not be more than (\d+)$/, (words, most) => words.tooMany(most)],
  [/^must be a list$/, (words) => words.list],
  [/^must be a text of 1 to (\d+) characters$/, (words, most) => words.text(most)],
  [/^must be one of (.+)$/, (words, values) => words.oneOf(values)],
  [/^must be 1 to 64 letters, digits, dollar signs, underscores, dots or dashes$/, (words) => words.id],
  [/^stands twice; every (.+) needs an id of its own$/, (words, what) => words.twice(words.things[what] ?? what)],
  [/^must be the name of a parameter, like utm_source$/, (words) => words.parameter],
  [/^must be absent: the (mode|kind|action) is (.+)$/, (words, what, value) => words.absentFor(what, value)],
  [/^must be a mail address$/, (words) => words.mail],
  [/^must be a colour like #1a2b3c$/, (words) => words.colour],
  [/^must be the id of a font family, like ffm_…, or system$/, (words) => words.font],
  [/^must be true or false$/, (words) => words.yesOrNo],
  [/^must be a whole number from (-?[\d.]+) to (-?[\d.]+)$/, (words, least, most) => words.whole(least, most)],
  [/^must be a number from (-?[\d.]+) to (-?[\d.]+)$/, (words, least, most) => words.number(least, most)],
  [/^must be the id of an asset, like ast_…$/, (words) => words.asset],
  [
    /^must be an https address of at most (\d+) characters, without user and password$/,
    (words, most) => words.address(most),
  ],
  [/^must be a text by language, like \{"en": "Hello"\}$/, (words) => words.localText],
  [/^must stand under a language tag like en or tr-TR$/, (words) => words.languageTag],
  [/^must have at most (\d+) blocks, those inside others counted$/, (words, most) => words.tooManyBlocks(most)],
  [/^lies deeper than (\d+) levels of blocks$/, (words, most) => words.tooDeep(most)],
  [/^must name a package, or be "offering" for all of them$/, (words) => words.noPackage],
  [/^must be a text of at most 32 KiB$/, (words) => words.longText],
  [/^must have a condition$/, (words) => words.noCondition],
  [/^must be a text, a number, true or false$/, (words) => words.scalar],
  [/^must be a number or a day like 2026-11-20$/, (words) => words.numberOrDay],
  [/^must be a day like 2026-11-20$/, (words) => words.day],
  [/^must be a number of days$/, (words) => words.days],
  [/^must be absent$/, (words) => words.absent],
  [/^must be a list of 1 to (\d+) texts, numbers, true or false$/, (words, most) => words.values(most)],
  [/^must be a list of two numbers or days$/, (words) => words.pair],
  [/^must not be below min$/, (words) => words.belowMin],
  [/^must not be score: that is the sum of the chosen values$/, (words) => words.isScore],
  [
    /^must be the key of an attribute: 1 to 64 letters, digits, underscores, dots or dashes$/,
    (words) => words.attribute,
  ],
  [/^must have an option to choose: the kind is (.+)$/, (words, kind) => words.noOption(kind)],
  [/^must be a number$/, (words) => words.anyNumber],
  [/^must be a whole number of 0 or more$/, (words) => words.count],
  [
    /^has products that have no payment id, so the account cannot sell them: (.+)$/,
    (words, products) => words.unsold(products),
  ],
]

/** A fault in the value of a condition ends with the operator: `must be a number of days for within_days`. */
const OF_OPERATOR = /^(must be .+) for ([a-z_]+)$/

/** A fault or warning in the language of the person; null for a sentence that is not known here. */
export function faultInWords(message: string, words: Words): string | null {
  const [, fault, operator] = OF_OPERATOR.exec(message) ?? []
  if (fault !== undefined && operator !== undefined) {
    const said = faultInWords(fault, words)
    return said === null ? null : words.ofOperator(said, operator)
  }
  for (const [pattern, say] of SENTENCES) {
    const found = pattern.exec(message)
    if (found) return say(words, found[1] ?? '', found[2] ?? '', found[3] ?? '')
  }
  return null
}
