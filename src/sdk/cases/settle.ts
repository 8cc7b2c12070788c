/** Lets everything run that waits for nothing but other code. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 100; i++) await null
}
