import type { DialectRules } from './dialect'

/** The values that the statement gets beside its text. Equal texts are one value, so that equal expressions are equal. */
export class Binds {
  private readonly values: string[] = []

  constructor(private readonly dialect: DialectRules) {}

  /** The text with which the statement names the value. */
  add(value: string): string {
    const known = this.values.indexOf(value)
    return this.dialect.bind(known >= 0 ? known + 1 : this.values.push(value))
  }

  /**
   * The statement with the values that it names. Some were read as times or numbers and are named nowhere, and the
   * databases refuse these. The statement has no text of the query, so everything that looks like a name is one.
   */
  complete(sql: string): { sql: string; values: string[] } {
    const used: number[] = []
    const renamed = sql.replace(this.dialect.bindName, (_name, digits: string) => {
      const number = Number(digits)
      const at = used.includes(number) ? used.indexOf(number) : used.push(number) - 1
      return `${this.dialect.bindSign}${at + 1}`
    })
    return { sql: renamed, values: used.map((number) => this.values[number - 1] ?? '') }
  }
}
