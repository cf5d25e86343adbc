// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { holdsHtml } from './mermaid-view'

it.each([
  'graph TD\nA["one<br/>two"] --> B',
  'classDiagram\nclass Shape\n<<interface>> Shape\nAnimal <|-- Duck',
  'sequenceDiagram\nA->>B: 1 < 2',
  'graph LR\nA <--> B',
])('draws %j', (code) => expect(holdsHtml(code)).toBe(false))

it.each([
  'graph TD\nA["<img src=x onerror=alert(1)>"]',
  'graph TD\nA["</p><p>"]',
  'classDiagram\n<<img src=x>>',
  'graph TD\nA["&lt;img src=x onerror = alert(1)&gt;"]',
])('does not draw %j', (code) => expect(holdsHtml(code)).toBe(true))
