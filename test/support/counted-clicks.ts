import type { Locator, Page } from 'playwright-core'

/** A person at the console whose acts are counted: each click, each key press, each field that is filled, each choice. */
export class CountedPerson {
  count = 0

  constructor(readonly page: Page) {}

  click = (target: Locator): Promise<void> => this.#act(() => target.click())
  type = (target: Locator, text: string): Promise<void> => this.#act(() => target.fill(text))
  press = (key: string): Promise<void> => this.#act(() => this.page.keyboard.press(key))
  choose = (target: Locator, option: string | { label: string }): Promise<void> =>
    this.#act(async () => void (await target.selectOption(option)))
  give = (target: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> =>
    this.#act(() => target.setInputFiles(file))

  button = (name: string | RegExp, within: Page | Locator = this.page): Promise<void> =>
    this.click(within.getByRole('button', { name, exact: typeof name === 'string' }))
  link = (name: string | RegExp, within: Page | Locator = this.page): Promise<void> =>
    this.click(within.getByRole('link', { name, exact: typeof name === 'string' }).first())
  /** Opens an entry of the sidebar. */
  menu = (name: string): Promise<void> => this.link(name, this.page.getByRole('navigation', { name: 'Menu' }))

  async #act(work: () => Promise<void>): Promise<void> {
    this.count += 1
    await work()
  }
}
