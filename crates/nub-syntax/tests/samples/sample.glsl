#version 330 core
layout(location = 0) in vec3 position;
uniform mat4 model;
out vec4 color;
struct Light { vec3 dir; float power; };
float f(vec3 a, inout float b) {
    for (int i = 0; i < 3; i++) { if (i == 1) continue; else b += a.x * 2.0; }
    return dot(a, normalize(position)) > 0.5 ? b : 1.0;
}
void main() {
    float t[3];
    gl_Position = model * vec4(position, 1.0);
    color = vec4(f(position.xyz, t[0]), 0.0, 0.0, 1.0);
}
