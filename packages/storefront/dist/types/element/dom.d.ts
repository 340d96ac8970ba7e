type Child = Node | string;
/** Makes an element. Attribute names are ours; whatever comes from a schema is an attribute's value or text, never markup. */
export declare function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes?: Readonly<Record<string, string | undefined>>, ...children: Child[]): HTMLElementTagNameMap[K];
/** Shows text, or hides the element where there is none. */
export declare function say(element: HTMLElement, text: string): void;
/** Sets an attribute, or takes it away where there is nothing to say. */
export declare function mark(element: HTMLElement, attribute: string, value: string | false | null | undefined): void;
export {};
