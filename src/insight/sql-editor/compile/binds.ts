/** The values that the statement gets beside its text. Equal texts are one value, so that equal expressions are equal. */
export class Binds {
  readonly values: string[] = []

  constructor(private readonly write: (number: number) => string) {}

  /** The text with which the statement names the value. */
  add(value: string): string {
    const known = this.values.indexOf(value)
    return this.write(known >= 0 ? known + 1 : this.values.push(value))
  }
}
