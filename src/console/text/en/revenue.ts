export const texts = {
  title: 'revenue',
}
