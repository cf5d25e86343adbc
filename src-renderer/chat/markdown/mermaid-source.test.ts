import { describe, expect, it } from 'vitest'
import { holdsAddress, holdsHtml, pointsOutside } from './mermaid-source'

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

describe('addresses in a diagram', () => {
  it.each([
    'graph TD\nA[see https://example.org]',
    'graph TD\nA --> B\nclick A href "https://example.org" _blank',
    'graph TD\nA --> B\nclick A "/api/call"',
    'graph TD\nA@{ img: "https://example.org/a.png", label: "x" }',
    'graph TD\nA@{ shape: rect, img: "a.png" }',
    'graph TD\nA@{\n  img: "//example.org/a.png"\n}',
    'graph TD\nA --> B\nstyle A fill:url(//example.org/x)',
    'graph TD\nclassDef x background:ur\\6c(https\\3a //example.org)',
    "%%{init: {'themeCSS': '@import \"//example.org/a.css\"'}}%%\ngraph TD\nA",
    '%%{init: {"fontFamily": "x; src: \\u0075rl(x)"}}%%\ngraph TD\nA',
    'graph TD\nA["h#116;tps#58;#47;#47;example.org"]',
    'graph TD\nA["https&colon;&sol;&sol;example.org"]',
    'sequenceDiagram\nparticipant A\nlink A: Home @ /home',
    'sequenceDiagram\nparticipant A\nlinks A: {"Home": "x"}',
    'classDiagram\nclass A\nlink A "x"',
    'gantt\nclick a href "x"',
    'graph TD\nA["javascript:alert(1)"]',
    'graph TD\nA["data:image/png;base64,AA"]',
    'C4Context\nPerson(a, "A", $link="x")',
  ])('refused: %j', (code) => expect(holdsAddress(code)).toBe(true))

  it.each([
    'graph TD\nA[Start] --> B{Is it?}\nB -- yes --> C[OK]\nB -- no --> A',
    'sequenceDiagram\nAlice->>Bob: Hello Bob, how are you?\nBob-->>Alice: Great: 10:30',
    'classDiagram\nclass Animal {\n  +String data\n  +links: int\n  +image(x) void\n}',
    'graph LR\nlink --> click\nclick --> image',
    'graph TD\nA["a / b // c"] --> B["#35;1"]',
    'pie title Pets\n"Dogs" : 386\n"Cats" : 85',
    "%%{init: {'theme': 'forest'}}%%\ngraph TD\nA --> B",
    '%% taken from https://example.org\ngraph TD\nA --> B',
    'erDiagram\nCUSTOMER ||--o{ ORDER : places',
    'gantt\ndateFormat YYYY-MM-DD\nsection A\nTask :a1, 2026-01-01, 30d',
    'graph TD\nA@{ shape: rect, label: "x" }',
  ])('drawn: %j', (code) => expect(holdsAddress(code)).toBe(false))

  it('a drawing may point at its own parts only', () => {
    expect(pointsOutside('<svg><path marker-end="url(#arrow)"/><use href="#a"/></svg>')).toBe(false)
    expect(pointsOutside('<svg><image href="https://example.org/a.png"/></svg>')).toBe(true)
    expect(pointsOutside('<svg><a xlink:href="/x"/></svg>')).toBe(true)
    expect(pointsOutside('<svg><style>a{fill:url("//x")}</style></svg>')).toBe(true)
  })
})
