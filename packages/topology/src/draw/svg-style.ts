/** Colours of one theme. */
interface Theme {
  readonly page: string;
  readonly text: string;
  readonly quiet: string;
  readonly wire: string;
  readonly critic: readonly [fill: string, line: string, text: string];
  readonly merger: readonly [fill: string, line: string];
  /** Fill and line of the actors' boxes, by tone. */
  readonly tones: readonly (readonly [fill: string, line: string])[];
}

const light: Theme = {
  page: "#ffffff",
  text: "#1c2330",
  quiet: "#667085",
  wire: "#98a2b3",
  critic: ["#fff4d6", "#d9a21b", "#7a5600"],
  merger: ["#d8f5e3", "#1f9d61"],
  tones: [
    ["#eaf1ff", "#4a7bdc"],
    ["#f3ecff", "#8a5cd6"],
    ["#e4f7f8", "#1f97a3"],
    ["#ffecef", "#d6516b"],
    ["#eef7e4", "#5f9a2f"],
    ["#fff0e2", "#d47a2c"],
  ],
};

const dark: Theme = {
  page: "#0f141c",
  text: "#e8edf5",
  quiet: "#93a0b4",
  wire: "#5c6a80",
  critic: ["#3a2e0e", "#c99a2e", "#f3d58a"],
  merger: ["#10382a", "#3fbf83"],
  tones: [
    ["#16253f", "#6d9bf2"],
    ["#271c40", "#a986ee"],
    ["#0f3035", "#4fbcc7"],
    ["#3c1a23", "#ec7f94"],
    ["#21321a", "#8cc560"],
    ["#3a2413", "#ec9f5c"],
  ],
};

/** How many colours there are for actors. */
export const toneCount = light.tones.length;

/** The style sheet of a drawing: light, and dark where the reader prefers it. */
export const svgStyle = [
  `text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}`,
  ".title{font-size:17px;font-weight:650}.sub{font-size:12px}.id{font-size:14px;font-weight:600}.agent,.key{font-size:11px}",
  ".badge{font-size:10.5px}.mid{text-anchor:middle}.wire{fill:none;stroke-width:1.6}.thin{stroke-width:1}",
  ".box{stroke-width:1.5}.pill,.join{stroke-width:1.2}",
  rulesOf(light),
  `@media (prefers-color-scheme:dark){${rulesOf(dark)}}`,
].join("");

function rulesOf({ page, text, quiet, wire, critic, merger, tones }: Theme): string {
  const rules = [
    `.page{fill:${page}}.title,.id{fill:${text}}.sub,.agent,.key{fill:${quiet}}.wire{stroke:${wire}}.head{fill:${wire}}`,
    `.pill{fill:${critic[0]};stroke:${critic[1]}}.badge{fill:${critic[2]}}.join{fill:${merger[0]};stroke:${merger[1]}}`,
    ...tones.map(([fill, line], i) => `.t${i}{fill:${fill};stroke:${line}}`),
  ];
  return rules.join("");
}
