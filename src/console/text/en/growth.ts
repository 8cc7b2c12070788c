export const texts = {
  title: 'growth',
}
